import { compareAddress, readCompareAddress, swapped } from '../model/compare-address.ts'
import type { Command, CommandContext } from './command.ts'

const compared = ({ address }: CommandContext) => readCompareAddress(address.path, address.query)
const onCompared = (context: CommandContext) => (compared(context) === undefined ? 'Compare two runs first.' : undefined)

/** What can be done with two runs side by side. */
export const COMPARE_COMMANDS: readonly Command[] = [
  {
    id: 'compare.differences',
    group: 'Compare',
    title: 'Only differences, or everything',
    keys: ['d'],
    unavailable: onCompared,
    run: (context) => change(context, (address) => ({ ...address, onlyDifferences: !address.onlyDifferences })),
  },
  {
    id: 'compare.swap',
    group: 'Compare',
    title: 'Swap the sides',
    keys: ['Shift+V'],
    unavailable: onCompared,
    run: (context) => change(context, swapped),
  },
  {
    id: 'compare.scale',
    group: 'Compare',
    title: 'One time scale, or each run its own',
    keys: ['u'],
    unavailable: onCompared,
    run: (context) => change(context, (address) => ({ ...address, scale: address.scale === 'one' ? 'each' : 'one' })),
  },
]

function change(
  context: CommandContext,
  next: (address: NonNullable<ReturnType<typeof compared>>) => Parameters<typeof compareAddress>[0],
) {
  const address = compared(context)
  if (address !== undefined) context.navigate(compareAddress(next(address)), { replace: true })
}

/** Closes the difference of a pair; false when none is open. */
export function closePair(context: CommandContext): boolean {
  if (compared(context)?.pair === undefined) return false
  change(context, (address) => ({ ...address, pair: undefined }))
  return true
}
