import type { ErrorInfo, GraphNodeHint, NodeKind, TokenUsage } from '@graphmind-ai/schema'

/** What a dialect makes of one span. Absent means not known to this span; it is never zero or empty. */
export type MappedSpan = MappedNode | MappedPlumbing

interface MappedBase {
  /** The dialect that claimed the span, shown under Raw. */
  readonly dialect: string
  /** Facts about the run that this span carries, e.g. its conversation. */
  readonly run?: { readonly name?: string; readonly sessionId?: string; readonly userId?: string; readonly tags?: readonly string[] }
  /** Tools and other nodes this span knows of before they run; `parentId` is filled in by the assembler. */
  readonly hints?: readonly GraphNodeHint[]
}

/** A span that is drawn. */
export interface MappedNode extends MappedBase {
  readonly role: 'node'
  readonly kind: NodeKind
  readonly nodeId: string
  readonly name: string
  readonly input?: unknown
  readonly output?: unknown
  readonly usage?: TokenUsage
  /** The usage is a sum over children (agents, roots): kept on the node, never added to the run. */
  readonly usageIsSum?: boolean
  readonly error?: ErrorInfo
  readonly aborted?: boolean
  readonly model?: string
  readonly provider?: string
  /** stop, length, tool-calls, content-filter, error or other. */
  readonly finishReason?: string
  readonly toolCallId?: string
  /** Milliseconds from start to the first streamed piece. */
  readonly firstTokenMs?: number
  /** Further facts for the inspector: parameters, tool roster, response id … Becomes loose payload fields of node.started/finished. */
  readonly extras?: Readonly<Record<string, unknown>>
  /** An agent that runs inside this call and has no span of its own: what lies below the call is the agent's. */
  readonly innerAgent?: string
  /** A chain that is an agent if it turns out to run model calls and tools: some vocabularies have no word for agents. */
  readonly mayBeAgent?: boolean
  /**
   * This span may describe the same call as a parent or child of the same class (an llm directly in an llm, embeddings in embeddings,
   * MCP client over server): the assembler makes one instance of them (design 3).
   */
  readonly twinClass?: string
}

/** A span that is not drawn: its children belong to its parent. */
export interface MappedPlumbing extends MappedBase {
  readonly role: 'plumbing'
  /** Named for a root, which has no parent to give its children to and is drawn as a custom node. */
  readonly name: string
}
