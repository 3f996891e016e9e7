import { type BreakpointMatcher, matcherKey, type NodeKind, type PausePoint } from '@graphmind-ai/schema'

/** What a kind is called in a sentence. */
export const KIND_WORDS: Record<NodeKind, string> = {
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

/** Where it holds: before the call, unless it says otherwise. */
export function pointOf(matcher: BreakpointMatcher): PausePoint {
  return matcher.point ?? 'before'
}

/** A matcher as a person would say it: "before tool search", "on any error", "before every node, when input.q == 1, log only". */
export function breakpointWords(matcher: BreakpointMatcher): string {
  const point = pointOf(matcher)
  const what = whatWords(matcher)
  const where = point === 'error' ? (what === undefined ? 'on any error' : `on an error in ${what}`) : `${point} ${what ?? 'every node'}`
  const conditions = [
    matcher.where === undefined ? undefined : `when ${matcher.where}`,
    matcher.hits === undefined ? undefined : `at hit ${matcher.hits}`,
    matcher.once === true ? 'once' : undefined,
    matcher.log === true ? 'log only' : undefined,
    matcher.runId === undefined ? undefined : 'in one run',
  ]
  return [where, ...conditions].filter(Boolean).join(', ')
}

function whatWords({ kind, kinds, name, namePattern }: BreakpointMatcher): string | undefined {
  if (name !== undefined) return `${kind ?? 'anything named'} ${name}`
  const all = kind === undefined ? (kinds ?? []) : [kind]
  const named = namePattern === undefined ? '' : ` named ${namePattern}`
  if (all.length > 0) return `any ${all.map((each) => KIND_WORDS[each]).join(' or ')}${named}`
  return namePattern === undefined ? undefined : `anything${named}`
}

const PLAIN_FIELDS = new Set(['kind', 'name', 'point'])

/** True when both stop at exactly the same place: an absent point is `before`, and neither has further conditions. */
export function sameBreakpoint(one: BreakpointMatcher, other: BreakpointMatcher): boolean {
  const plain = (matcher: BreakpointMatcher) => Object.keys(matcher).every((key) => PLAIN_FIELDS.has(key))
  return plain(one) && plain(other) && one.kind === other.kind && one.name === other.name && pointOf(one) === pointOf(other)
}

/** The set breakpoint that holds the same calls as the wanted one. */
export function findBreakpoint(all: readonly BreakpointMatcher[], wanted: BreakpointMatcher): BreakpointMatcher | undefined {
  return all.find((matcher) => sameBreakpoint(matcher, wanted))
}

/** Holds this node before it runs. */
export function beforeNode(node: { kind: NodeKind; name: string }): BreakpointMatcher {
  return { kind: node.kind, name: node.name, point: 'before' }
}

/** Holds this node when it failed. */
export function onErrorOf(node: { kind: NodeKind; name: string }): BreakpointMatcher {
  return { kind: node.kind, name: node.name, point: 'error' }
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

const MUTED = 'muted:'
/** Marks a muted breakpoint that had no id of its own, which it gets back without one. */
const MUTED_PLAIN = 'muted-plain:'

/** Whether "mute all" switched it off. */
export function isMuted(matcher: BreakpointMatcher): boolean {
  return matcher.id?.startsWith(MUTED) === true || matcher.id?.startsWith(MUTED_PLAIN) === true
}

/** The same breakpoint, switched off by "mute all"; its id says so, so that every viewer can switch exactly these on again. */
export function muted(matcher: BreakpointMatcher): BreakpointMatcher {
  return { ...matcher, enabled: false, id: matcher.id === undefined ? `${MUTED_PLAIN}${matcherKey(matcher)}` : `${MUTED}${matcher.id}` }
}

/** The breakpoint as it was before it was muted. */
export function unmuted(matcher: BreakpointMatcher): BreakpointMatcher {
  const { id, enabled: _off, ...fields } = matcher
  return id?.startsWith(MUTED) === true ? { ...fields, id: id.slice(MUTED.length) } : fields
}
