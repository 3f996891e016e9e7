import type { ErrorInfo, NodeKind } from '@graphmind-ai/schema'
import type { MappedNode, MappedPlumbing } from '../mapped-span.ts'
import { defined, definedOrAbsent, type Loose } from './defined.ts'
import { isAbort } from './failure.ts'

const LLM_TWINS = 'llm'
export const EMBEDDING_TWINS = 'embedding'

/** All spans of one tool's call are twins: `execute_tool` over an MCP client's `tools/call` over the server's. */
export const toolTwins = (name: string): string => `tool:${name}`

export type NodeFields = Partial<Loose<Omit<MappedNode, 'role' | 'dialect' | 'kind' | 'nodeId' | 'name' | 'extras'>>> & {
  readonly extras?: Readonly<Record<string, unknown>> | undefined
}

/** A node; fields that are undefined are left out, and a caller's own abort is no error. */
export function drawn(dialect: string, kind: NodeKind, nodeId: string, name: string, fields: NodeFields): MappedNode {
  const { error, aborted, extras, usage, ...rest } = fields
  const gaveUp = isAbort(error)
  return defined({
    dialect,
    role: 'node' as const,
    kind,
    nodeId: nodeId.toWellFormed(),
    name: name.toWellFormed(),
    ...rest,
    usage,
    error: gaveUp ? undefined : (error as ErrorInfo | undefined),
    aborted: gaveUp || aborted ? true : undefined,
    extras:
      extras === undefined ? undefined : definedOrAbsent(Object.fromEntries(Object.entries(extras).filter(([, value]) => !isEmpty(value)))),
    usageIsSum: usage === undefined ? undefined : fields.usageIsSum,
  })
}

/** Nothing said: such an extra would only look as if something had been. */
function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}

/** A node of one of the kinds whose id is `<kind>:<name>`. */
export function drawnByName(dialect: string, kind: NodeKind, name: string, fields: NodeFields): MappedNode {
  return drawn(dialect, kind, `${kind}:${name}`, name, kind === 'tool' ? { twinClass: toolTwins(name), ...fields } : fields)
}

/** A model step: every one is `llm:step`, so that one agent's steps are one place in the graph (design 3). */
export function drawnStep(dialect: string, fields: NodeFields): MappedNode {
  return drawn(dialect, 'llm', 'llm:step', 'step', { twinClass: LLM_TWINS, ...fields })
}

/** A span that is not drawn. */
export function hidden(dialect: string, name: string, fields: Partial<Loose<Pick<MappedPlumbing, 'run' | 'hints'>>> = {}): MappedPlumbing {
  return defined({ dialect, role: 'plumbing' as const, name: name.toWellFormed(), ...fields })
}
