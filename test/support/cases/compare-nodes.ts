import type { InstancePicture } from '@graphmind-ai/schema'
import { type ExpectedNode, type ExpectedRun, isOneOf } from './expectation.ts'
import type { ShownRun } from './shown-run.ts'

/** The instances of one node below one other. */
interface Row {
  readonly nodeId: string
  readonly kind: string
  readonly name: string
  readonly parent: string | null
  instances: number
  errors: number
  running: number
}

/** What is wrong with the shown nodes; empty when they are as expected. */
export function compareNodes(want: ExpectedRun, run: ShownRun): readonly string[] {
  const nodes = want.nodes ?? []
  const rows = rowsOf(want, run)
  const found: string[] = []
  for (const node of nodes) {
    const fits = rows.filter((row) => idsOf(node).includes(row.nodeId) && (node.parent === '*' || isOneOf(node.parent, row.parent)))
    const taken = Array.isArray(node.parent) || node.parent === '*' ? fits : fits.slice(0, 1)
    for (const row of taken) rows.splice(rows.indexOf(row), 1)
    found.push(...compareRow(node, taken, rows))
  }
  return [...found, ...rows.map((row) => `unexpected ${words(row)}`)]
}

function compareRow(node: ExpectedNode, taken: readonly Row[], others: readonly Row[]): readonly string[] {
  const [first] = taken
  if (first === undefined) return [`no ${node.nodeId} under ${JSON.stringify(node.parent)}; there are ${others.map(words).join(', ')}`]
  const sum = (field: 'instances' | 'errors' | 'running') => taken.reduce((total, row) => total + row[field], 0)
  const status = sum('errors') > 0 ? 'error' : sum('running') > 0 ? 'running' : 'ok'
  const facts = [
    ['kind', node.kind, first.kind],
    ['name', node.name, first.name],
    ['status', node.status, status],
    ['instances', node.instances, sum('instances')],
    ['errors', node.errors, sum('errors')],
  ] as const
  return facts.flatMap(([fact, expected, actual]) =>
    isOneOf<string | number>(expected, actual) ? [] : [`${fact} of ${node.nodeId} is ${actual}, not ${JSON.stringify(expected)}`],
  )
}

function rowsOf(want: ExpectedRun, run: ShownRun): Row[] {
  const rows = new Map<string, Row>()
  const isExtra = extraNodes(want)
  for (const instance of run.instances) {
    if (isExtra(instance)) continue
    const parent = parentOf(run, instance, isExtra)
    const key = `${instance.nodeId} ${parent}`
    const { nodeId, kind, name } = instance
    const row = rows.get(key) ?? { nodeId, kind, name, parent, instances: 0, errors: 0, running: 0 }
    row.instances += 1
    if (instance.status === 'error' || instance.status === 'aborted') row.errors += 1
    if (instance.status === 'running') row.running += 1
    rows.set(key, row)
  }
  return [...rows.values()]
}

/** Nodes that may be shown or folded away. */
function extraNodes(want: ExpectedRun): (instance: InstancePicture) => boolean {
  const listed = new Set((want.nodes ?? []).flatMap(idsOf))
  const may = want.may ?? []
  return ({ nodeId, name }) =>
    !listed.has(nodeId) && (may.some((word) => word === name || nodeId.endsWith(`:${word}`)) || (want.mayNodes ?? []).includes(nodeId))
}

function parentOf(run: ShownRun, instance: InstancePicture, isExtra: (instance: InstancePicture) => boolean): string | null {
  const seen = new Set<string>()
  for (let at = instance; at.parentInstanceId !== undefined && !seen.has(at.id); ) {
    seen.add(at.id)
    const up = run.picture.instances.get(at.parentInstanceId)
    if (up === undefined) return null
    if (!isExtra(up)) return up.nodeId
    at = up
  }
  return null
}

function idsOf(node: ExpectedNode): readonly string[] {
  return [node.nodeId, ...(node.or ?? [])]
}

function words({ nodeId, parent, instances }: Row): string {
  return `${nodeId} under ${parent} ×${instances}`
}
