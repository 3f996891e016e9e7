import { failed, ok, type Result } from '../../problem.ts'
import { type ComparedRow, type ComparedRuns, compareRuns } from '../../store/reads/comparison.ts'
import { NOT_LIVE } from '../../store/reads/run-info.ts'
import type { Cli } from '../cli.ts'
import { openRecords, type Records, type RecordsFlags, readableRun } from '../runs/records.ts'
import { printable } from '../show/printable.ts'
import { duration } from '../show/times.ts'

export interface DiffFlags extends RecordsFlags {
  readonly all?: boolean
  readonly json?: boolean
}

const SAME = 0
const DIFFERENT = 1

/** `graphmind diff`: two runs side by side. Ends with 0 when they are the same, 1 when they differ, 2 when they could not be compared. */
export async function diff(left: string, right: string, flags: DiffFlags, { console, environment }: Cli): Promise<Result<number>> {
  const records = await openRecords(flags, environment)
  if (!records.ok) return trouble(records)
  try {
    const compared = await comparisonOf(records.value, left, right)
    if (!compared.ok) return trouble(compared)
    if (flags.json === true) console.out(JSON.stringify(compared.value))
    else for (const line of diffLines(compared.value, flags.all === true)) console.out(line)
    return ok(compared.value.isSame ? SAME : DIFFERENT)
  } finally {
    await records.value.close()
  }
}

/** Two recorded runs aligned; a problem when one is missing or they are too large. */
export async function comparisonOf(records: Records, left: string, right: string): Promise<Result<ComparedRuns>> {
  const one = await readableRun(records, left)
  if (!one.ok) return one
  const other = await readableRun(records, right)
  return other.ok ? compareRuns(records.database, one.value, other.value, NOT_LIVE) : other
}

/** As `diff` does, "could not compare" has a code of its own: a script must not take it for "differs". */
function trouble({ problem }: Extract<Result<never>, { ok: false }>): ReturnType<typeof failed> {
  return failed('diff-trouble', problem.message)
}

const MARKS: { readonly [Verdict in ComparedRow['verdict']]: string } = { same: ' ', changed: '~', 'left-only': '-', 'right-only': '+' }

/** The comparison as a person reads it: what differs, or with `all` everything. */
function diffLines({ left, right, counts, isSame, rows }: ComparedRuns, all: boolean): readonly string[] {
  const shown = all ? rows : rows.filter(({ verdict }) => verdict !== 'same')
  const parts = (['same', 'changed', 'left-only', 'right-only'] as const).filter((verdict) => counts[verdict] > 0)
  const status = left.run.status === right.run.status ? '' : `, and ended ${left.run.status} and ${right.run.status}`
  const sum = `${parts.map((verdict) => `${counts[verdict]} ${verdict.replace('-', ' ')}`).join(', ')}${status}`
  return [
    `- ${sideWords(left)}`,
    `+ ${sideWords(right)}`,
    '',
    ...shown.map(rowWords),
    ...(shown.length > 0 ? [''] : []),
    `${isSame ? 'The runs are the same' : 'The runs differ'}: ${sum}.`,
  ]
}

function sideWords({ run, totals }: ComparedRuns['left']): string {
  const calls = `${totals.instances} calls, ${totals.errors} failed`
  return printable(
    `${run.id}  ${run.name}: ${run.status}, ${calls}${totals.durationMs === undefined ? '' : `, ${duration(totals.durationMs)}`}`,
  )
}

function rowWords({ verdict, depth, left, right, changes = [], delta }: ComparedRow): string {
  const call = right ?? left
  const what = changes.length === 0 ? '' : `  ${changes.map((field) => changeWords(field, left, right)).join(', ')}`
  const slower =
    delta?.durationMs === undefined || verdict !== 'changed'
      ? ''
      : `  ${delta.durationMs < 0 ? '-' : '+'}${duration(Math.abs(delta.durationMs))}`
  return printable(`${MARKS[verdict]} ${'  '.repeat(depth)}${call?.nodeId ?? ''}${what}${slower}`)
}

/** Short facts are told, payloads only named. */
function changeWords(field: string, left: ComparedRow['left'], right: ComparedRow['right']): string {
  if (field === 'status') return `status ${left?.status} → ${right?.status}`
  if (field === 'model') return `model ${left?.model ?? 'none'} → ${right?.model ?? 'none'}`
  if (field === 'node') return `was ${left?.nodeId}`
  return field
}
