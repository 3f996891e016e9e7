import type { BreakpointMatcher, NodeKind, PausePoint } from '@graphmind-ai/schema'

const KIND_WORDS: Record<NodeKind, string> = {
  agent: 'agent',
  llm: 'model call',
  tool: 'tool',
  chain: 'chain',
  retriever: 'retriever',
  server: 'server',
  resource: 'resource',
  prompt: 'prompt',
  custom: 'step',
}

/** What a kind is called in a sentence: "any model call". */
export function kindWords(kind: NodeKind): string {
  return KIND_WORDS[kind]
}

export function pointOf(matcher: BreakpointMatcher): PausePoint {
  return matcher.point ?? 'before'
}

/** A matcher as a person would say it: "before tool search", "on any error", "before every node". */
export function breakpointWords(matcher: BreakpointMatcher): string {
  const { kind, name } = matcher
  const point = pointOf(matcher)
  const what =
    name !== undefined
      ? `${kind ?? 'anything named'} ${name}`
      : kind !== undefined
        ? `any ${KIND_WORDS[kind]}`
        : point === 'error'
          ? undefined
          : 'every node'
  if (point === 'error') return what === undefined ? 'on any error' : `on an error in ${what}`
  return `${point} ${what}`
}

const PLAIN_FIELDS = new Set(['kind', 'name', 'point'])

/** True when both stop at exactly the same place: an absent point is `before`, and neither has further conditions. */
export function sameBreakpoint(one: BreakpointMatcher, other: BreakpointMatcher): boolean {
  const plain = (matcher: BreakpointMatcher) => Object.keys(matcher).every((key) => PLAIN_FIELDS.has(key))
  return plain(one) && plain(other) && one.kind === other.kind && one.name === other.name && pointOf(one) === pointOf(other)
}

export function findBreakpoint(all: readonly BreakpointMatcher[], wanted: BreakpointMatcher): BreakpointMatcher | undefined {
  return all.find((matcher) => sameBreakpoint(matcher, wanted))
}

export function beforeNode(node: { kind: NodeKind; name: string }): BreakpointMatcher {
  return { kind: node.kind, name: node.name, point: 'before' }
}

/** A wider breakpoint that holds this node before it runs, such as "before any tool". */
export function coveringBreakpoint(
  all: readonly BreakpointMatcher[],
  node: { kind: NodeKind; name: string },
): BreakpointMatcher | undefined {
  const own = beforeNode(node)
  return all.find(
    (matcher) =>
      pointOf(matcher) === 'before' &&
      !sameBreakpoint(matcher, own) &&
      Object.keys(matcher).every((key) => PLAIN_FIELDS.has(key)) &&
      (matcher.kind === undefined || matcher.kind === node.kind) &&
      (matcher.name === undefined || matcher.name === node.name),
  )
}

/** The three switches everyone needs, always shown. */
export const COMMON_BREAKPOINTS: readonly { readonly label: string; readonly matcher: BreakpointMatcher }[] = [
  { label: 'Break before any tool', matcher: { kind: 'tool', point: 'before' } },
  { label: 'Break before any model call', matcher: { kind: 'llm', point: 'before' } },
  { label: 'Break on error', matcher: { point: 'error' } },
]
