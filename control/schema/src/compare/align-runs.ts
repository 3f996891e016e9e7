import type { InstancePicture, RunPicture } from '../fold/picture.ts'
import { childrenOf, rootInstances } from '../fold/select/tree.ts'
import { commonOrder, type IndexPair } from './common-order.ts'
import type { ChangedField, ComparedInstance, RunComparison } from './comparison.ts'
import { deltaOf, measuresOf, totalsOf } from './measures.ts'
import { isSameValue, type OwnIds } from './same-value.ts'

interface Sides<Side> {
  readonly left: Side
  readonly right: Side
}

/**
 * Two runs side by side, aligned parent by parent over the order of their nodes. Payloads that a picture was loaded without are not
 * compared. The work is bounded by the instances of both runs times a thousand.
 */
export function alignRuns(left: RunPicture, right: RunPicture): RunComparison {
  const runs = { left, right }
  const ids = { left: ownIds(left), right: ownIds(right) }
  const rows: ComparedInstance[] = []
  const waiting: ComparedInstance[] = levelOf(runs, ids, { left: rootInstances(left), right: rootInstances(right) }, 0).reverse()
  for (let row = waiting.pop(); row !== undefined; row = waiting.pop()) {
    rows.push(row)
    const children = { left: childrenIn(left, row.left), right: childrenIn(right, row.right) }
    // Not spread into arguments, of which a call takes only so many.
    for (const child of levelOf(runs, ids, children, row.depth + 1).reverse()) waiting.push(child)
  }
  const counts = { same: 0, changed: 0, 'left-only': 0, 'right-only': 0 }
  for (const { verdict } of rows) counts[verdict] += 1
  const totals = { left: totalsOf(left), right: totalsOf(right) }
  const isSame = counts.same === rows.length && left.status === right.status
  return { rows, counts, ...totals, delta: deltaOf(totals.left, totals.right), isSame }
}

function childrenIn(run: RunPicture, instance: InstancePicture | undefined): readonly string[] {
  return instance === undefined ? [] : childrenOf(run, instance.id)
}

/** The rows of one level: pairs in order, and between them what only one side has, the left side first. */
function levelOf(runs: Sides<RunPicture>, ids: Sides<OwnIds>, children: Sides<readonly string[]>, depth: number): ComparedInstance[] {
  const left = instancesOf(runs.left, children.left)
  const right = instancesOf(runs.right, children.right)
  const rows: ComparedInstance[] = []
  let at: IndexPair = [0, 0]
  const alone = (end: IndexPair) => {
    for (const instance of left.slice(at[0], end[0])) rows.push({ verdict: 'left-only', depth, left: instance })
    for (const instance of right.slice(at[1], end[1])) rows.push({ verdict: 'right-only', depth, right: instance })
  }
  for (const pair of pairsOf(left, right, depth)) {
    alone(pair)
    const [one, other] = [left[pair[0]], right[pair[1]]]
    if (one !== undefined && other !== undefined) rows.push(pairOf(one, other, ids, depth))
    at = [pair[0] + 1, pair[1] + 1]
  }
  alone([left.length, right.length])
  return rows
}

/** One root each belongs together whatever it is called: an agent that was renamed is still the agent. */
function pairsOf(left: readonly InstancePicture[], right: readonly InstancePicture[], depth: number): readonly IndexPair[] {
  if (depth === 0 && left.length === 1 && right.length === 1) return [[0, 0]]
  const keys = (instances: readonly InstancePicture[]) => instances.map(({ nodeId }) => nodeId)
  return commonOrder(keys(left), keys(right))
}

function pairOf(left: InstancePicture, right: InstancePicture, ids: Sides<OwnIds>, depth: number): ComparedInstance {
  const differs = (one: unknown, other: unknown) => !isSameValue(one, other, ids.left, ids.right)
  const error = ({ errors }: InstancePicture) => errors.map(({ name, message }) => ({ name, message }))
  const differences: readonly (readonly [ChangedField, boolean])[] = [
    ['node', left.nodeId !== right.nodeId],
    ['status', left.status !== right.status],
    ['error', differs(error(left), error(right))],
    ['model', left.model !== right.model],
    ['input', differs(left.input, right.input)],
    ['output', differs(left.output, right.output)],
  ]
  const changes = differences.filter(([, isDifferent]) => isDifferent).map(([field]) => field)
  const delta = deltaOf(measuresOf(left), measuresOf(right))
  return { verdict: changes.length === 0 ? 'same' : 'changed', depth, left, right, changes, delta }
}

function instancesOf(run: RunPicture, ids: readonly string[]): readonly InstancePicture[] {
  return ids.flatMap((id) => run.instances.get(id) ?? [])
}

function ownIds(run: RunPicture): OwnIds {
  const ids = new Set([run.runId])
  for (const { id, spanId, traceId, toolCallId } of run.instances.values())
    for (const own of [id, spanId, traceId, toolCallId]) if (own !== undefined) ids.add(own)
  return ids
}
