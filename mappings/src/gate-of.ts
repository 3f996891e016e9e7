import type { NodeKind } from '@graphmind-ai/schema'
import type { MappedSpan } from './mapped-span.ts'

/** What a breakpoint is matched against. */
export interface GateNode {
  readonly kind: NodeKind
  readonly nodeId: string
  readonly name: string
}

/** The gate that a span stands for: tools and model calls may be held, nothing else (span-dialects 7). */
export function gateOf(mapped: MappedSpan): GateNode | undefined {
  if (mapped.role !== 'node' || (mapped.kind !== 'tool' && mapped.kind !== 'llm')) return undefined
  return { kind: mapped.kind, nodeId: mapped.nodeId, name: mapped.name }
}
