import { type NodeKind, REDACTED } from '@graphmind-ai/schema'
import type { NodeContent } from './span-content.ts'

/** Kinds of calls that are asked something and answer it: where nothing is told of that, it was hidden. */
const ASKED: ReadonlySet<NodeKind> = new Set(['agent', 'llm', 'tool', 'chain', 'retriever'])

/**
 * The content of an instance with the word for a hidden value where a redaction switch of its run kept both what went in and what came out,
 * so that a reader can tell it from what nobody recorded. Of a span a switch keeps both: an attribute that no dialect knows may hold either.
 */
export function withHidden(content: NodeContent, kind: NodeKind, switches: readonly string[], hasSucceeded: boolean): NodeContent {
  const hides = (...names: readonly string[]) => names.some((name) => switches.includes(name))
  const isHidden = hides('hideInputs', 'hideOutputs') || (kind === 'tool' && hides('hideToolArgs', 'hideToolResults'))
  if (!isHidden || !ASKED.has(kind)) return content
  return {
    ...content,
    ...(content.input === undefined ? { input: REDACTED } : {}),
    ...(content.output === undefined && content.error === undefined && hasSucceeded ? { output: REDACTED } : {}),
  }
}
