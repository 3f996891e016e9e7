import { compareNodes } from './compare-nodes.ts'
import { type Expectation, type ExpectedRun, isOneOf, listOf } from './expectation.ts'
import type { ShownRun, ShownRuns } from './shown-run.ts'

/** What is wrong with the runs; empty when they are as expected. */
export function compareRuns(want: Expectation, { runs }: ShownRuns): readonly string[] {
  const wanted = want.runs ?? []
  const extra = want.mayHaveMoreRuns ?? 0
  if (runs.length < wanted.length || runs.length > wanted.length + extra) return [`${runs.length} runs, not ${wanted.length}`]
  const left = [...runs]
  return wanted.flatMap((run, index) => {
    const pool = want.runsInAnyOrder === true || extra > 0 ? left : left.slice(0, 1)
    const tries = pool.map((shown) => ({ shown, faults: compareRun(run, shown) }))
    const best = tries.toSorted((one, other) => one.faults.length - other.faults.length)[0]
    if (best === undefined) return [`run ${index + 1} is missing`]
    left.splice(left.indexOf(best.shown), 1)
    return best.faults.map((fault) => `run ${index + 1}: ${fault}`)
  })
}

function compareRun(want: ExpectedRun, run: ShownRun): readonly string[] {
  const { info } = run
  // Nobody waits for an unfinished run that was imported.
  const status = info.status === 'abandoned' ? 'running' : info.status
  const facts = [
    ['status', want.status, status],
    ['spans', want.spans, info.spanCount],
    ['input tokens', want.usage?.inputTokens, info.usage?.inputTokens ?? 0],
    ['output tokens', want.usage?.outputTokens, info.usage?.outputTokens ?? 0],
  ] as const
  return [
    ...facts.flatMap(([fact, expected, actual]) =>
      isOneOf<string | number>(expected, actual) ? [] : [`${fact}: ${actual}, not ${JSON.stringify(expected)}`],
    ),
    ...(want.nodes === undefined ? [] : compareNodes(want, run)),
    ...compareErrors(want, run),
    ...compareContent(want, run),
    ...compareAttributes(want, run),
    ...compareTimes(want, run),
  ]
}

function compareErrors(want: ExpectedRun, run: ShownRun): readonly string[] {
  if (want.errors?.length === 0) {
    return run.instances.flatMap(({ nodeId, errors }) => errors.map(({ message }) => `error at ${nodeId}: ${message}`))
  }
  return (want.errors ?? []).flatMap(({ nodeId, contains }) => {
    const texts = run.instances
      .filter((instance) => isOneOf(nodeId, instance.nodeId))
      .flatMap(({ errors }) => errors.map((error) => `${error.name} ${error.message} ${error.stack ?? ''}`))
    return containsAny(texts, contains) ? [] : [`errors of ${String(nodeId)} lack ${String(contains)}: ${texts.join(' | ')}`]
  })
}

function compareContent(want: ExpectedRun, run: ShownRun): readonly string[] {
  return (want.content ?? []).flatMap(({ nodeId, field, contains }) => {
    const texts = run.instances
      .filter((instance) => isOneOf(nodeId, instance.nodeId) && instance[field] !== undefined)
      .map((instance) => (typeof instance[field] === 'string' ? instance[field] : JSON.stringify(instance[field])))
    return containsAny(texts, contains)
      ? []
      : [`${field} of ${String(nodeId)} lacks ${String(contains)}: ${texts.join(' | ').slice(0, 200)}`]
  })
}

function containsAny(texts: readonly string[], wanted: string | readonly string[] | undefined): boolean {
  const parts = listOf(wanted)
  return texts.some((text) => parts.length === 0 || parts.some((part) => text.includes(part)))
}

function compareAttributes(want: ExpectedRun, run: ShownRun): readonly string[] {
  return (want.attributes ?? []).flatMap(({ spanId, key, text }) => {
    const value = run.spans.find((span) => span.spanId === spanId.toLowerCase())?.attributes.find((entry) => entry.key === key)?.value
    const shown = value === undefined ? undefined : String(Object.values(value)[0])
    return shown === text ? [] : [`${key} of ${spanId} shows ${shown}, not ${text}`]
  })
}

function compareTimes(want: ExpectedRun, run: ShownRun): readonly string[] {
  const faults = (want.durations ?? []).flatMap(({ nodeId, ms, tolerance = 0.01 }) => {
    const shown = run.instances.filter((instance) => isOneOf(nodeId, instance.nodeId)).map(({ durationMs }) => durationMs)
    const fits = shown.some((actual) => actual !== undefined && listOf(ms).some((wanted) => Math.abs(actual - wanted) <= tolerance))
    return fits ? [] : [`${String(nodeId)} took ${shown.join(', ')} ms, not ${String(ms)}`]
  })
  const order = run.instances.toSorted((one, other) => one.startedAt - other.startedAt).map(({ nodeId }) => nodeId)
  const listed = order.filter((nodeId) => want.order?.includes(nodeId) === true)
  const firsts = listed.filter((nodeId, index) => index === 0 || listed[index - 1] !== nodeId)
  const isOrdered = want.order === undefined || [listed, firsts].some((list) => JSON.stringify(list) === JSON.stringify(want.order))
  const roots = run.instances.filter(({ parentInstanceId: up }) => up === undefined || !run.picture.instances.has(up))
  const isHeaded = want.rootNodeId === undefined || roots.some(({ nodeId }) => isOneOf(want.rootNodeId, nodeId))
  return [
    ...faults,
    ...(isOrdered ? [] : [`order ${listed.join(', ')}`]),
    ...(isHeaded ? [] : [`headed by ${roots.map(({ nodeId }) => nodeId)}`]),
  ]
}
