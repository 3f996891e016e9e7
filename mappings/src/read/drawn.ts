import type { NodeKind } from '@graphmind-ai/schema'
import type { MappedNode, MappedPlumbing } from '../mapped-span.ts'
import { defined, type Loose, setField } from './defined.ts'
import { isAbort } from './failure.ts'

const LLM_TWINS = 'llm'
export const EMBEDDING_TWINS = 'embedding'

/** All spans of one tool's call are twins: `execute_tool` over an MCP client's `tools/call` over the server's. */
export const toolTwins = (name: string): string => `tool:${name}`

export type NodeFields = Partial<Loose<Omit<MappedNode, 'role' | 'dialect' | 'kind' | 'nodeId' | 'name' | 'extras'>>> & {
  readonly extras?: Readonly<Record<string, unknown>> | undefined
}

const LAST: ReadonlySet<string> = new Set(['usage', 'error', 'aborted', 'extras'])

/** A node; fields that are undefined are left out, and a caller's own abort is no error. `twinClass` where the fields name none. */
export function drawn(
  dialect: string,
  kind: NodeKind,
  nodeId: string,
  name: string,
  fields: NodeFields,
  twinClass?: string | undefined,
): MappedNode {
  const gaveUp = isAbort(fields.error)
  const node: Record<string, unknown> = { dialect, role: 'node', kind, nodeId: nodeId.toWellFormed(), name: name.toWellFormed() }
  if (twinClass !== undefined) node['twinClass'] = twinClass
  // In one go and in place: every span comes through here, and each copy of its fields would cost as much as reading them.
  for (const key of Object.keys(fields)) {
    if (LAST.has(key) || (key === 'usageIsSum' && fields.usage === undefined)) continue
    const value: unknown = fields[key as keyof NodeFields]
    if (value !== undefined) node[key] = value
  }
  if (fields.usage !== undefined) node['usage'] = fields.usage
  if (fields.error !== undefined && !gaveUp) node['error'] = fields.error
  if (gaveUp || fields.aborted) node['aborted'] = true
  if (fields.extras !== undefined) putExtras(node, fields.extras)
  // Its fields are those of a node: each comes from `fields`, whose type says so.
  return node as unknown as MappedNode
}

function putExtras(node: Record<string, unknown>, extras: object): void {
  let kept: Record<string, unknown> | undefined
  for (const key of Object.keys(extras)) {
    const value: unknown = extras[key as keyof typeof extras]
    if (value === undefined || isEmpty(value)) continue
    kept ??= {}
    setField(kept, key, value)
  }
  if (kept !== undefined) node['extras'] = kept
}

/** Nothing said: such an extra would only look as if something had been. */
function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}

/** A node of one of the kinds whose id is `<kind>:<name>`. */
export function drawnByName(dialect: string, kind: NodeKind, name: string, fields: NodeFields): MappedNode {
  return drawn(dialect, kind, `${kind}:${name}`, name, fields, kind === 'tool' ? toolTwins(name) : undefined)
}

/** A model step: every one is `llm:step`, so that one agent's steps are one place in the graph (design 3). */
export function drawnStep(dialect: string, fields: NodeFields): MappedNode {
  return drawn(dialect, 'llm', 'llm:step', 'step', fields, LLM_TWINS)
}

/** A span that is not drawn. */
export function hidden(dialect: string, name: string, fields: Partial<Loose<Pick<MappedPlumbing, 'run' | 'hints'>>> = {}): MappedPlumbing {
  return defined({ dialect, role: 'plumbing' as const, name: name.toWellFormed(), ...fields })
}
