import { count, plural } from './format.ts'
import type { GraphEdge, GraphNode } from './graph.ts'
import { type ShownState, STATE_WORDS } from './states.ts'

/** Nodes of a large graph that are not drawn, gathered at the drawn one nearest to them. */
export interface GraphGroup {
  readonly id: string
  /** What opens it: the id of its owner, or that of all the rest. */
  readonly key: string
  /** The drawn node they are nearest to; undefined for those that no link joins to one, or that are too few for a group. */
  readonly owner: GraphNode | undefined
  readonly count: number
  /** The most urgent of theirs. */
  readonly state: ShownState
  readonly hasFailed: boolean
  /** Opened already: of these, no more can be drawn. */
  readonly isFull: boolean
  /** How many of them wait, run or failed: "1 paused, 3 failed"; empty when none does. */
  readonly words: string
}

/** More groups than this would hide what is drawn: the smallest become one. */
const MOST_GROUPS = 40
/** The owner of what belongs to no drawn node. */
const ELSEWHERE = ''
const TOLD: readonly ShownState[] = ['paused', 'step', 'running', 'error']

export type Links = ReadonlyMap<string, readonly string[]>

/** For each node that is not drawn the id of the drawn one nearest to it, or `ELSEWHERE`. */
export function ownersOf(nodes: readonly GraphNode[], beside: Links, shown: ReadonlySet<string>): ReadonlyMap<string, string> {
  const known = new Set(nodes.map((node) => node.id))
  const owners = new Map<string, string>()
  const left = nodes.filter((node) => shown.has(node.id)).map(({ id }) => ({ id, owner: id }))
  // The list grows while it is walked, so that near ones come before far ones.
  for (const { id, owner } of left) {
    for (const next of beside.get(id) ?? []) {
      if (shown.has(next) || owners.has(next) || !known.has(next)) continue
      owners.set(next, owner)
      left.push({ id: next, owner })
    }
  }
  const sizes = new Map<string, number>()
  for (const owner of owners.values()) sizes.set(owner, (sizes.get(owner) ?? 0) + 1)
  const largest = [...sizes].sort(([, one], [, other]) => other - one).slice(0, MOST_GROUPS - 1)
  const kept = new Set((sizes.size < MOST_GROUPS ? [...sizes] : largest).map(([owner]) => owner))
  for (const { id } of nodes) {
    if (!shown.has(id) && !kept.has(owners.get(id) ?? ELSEWHERE)) owners.set(id, ELSEWHERE)
  }
  return owners
}

/** The groups of what is not drawn, and all links with their ends in a group where the node itself isn't drawn. */
export function gathered(
  nodes: readonly GraphNode[],
  edges: readonly GraphEdge[],
  owners: ReadonlyMap<string, string>,
  opened: ReadonlySet<string>,
): { readonly groups: readonly GraphGroup[]; readonly edges: readonly GraphEdge[] } {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const counts = new Map<string, Map<ShownState, number>>()
  for (const node of nodes) {
    const owner = owners.get(node.id)
    if (owner === undefined) continue
    const states = counts.get(owner) ?? new Map<ShownState, number>()
    states.set(node.state, (states.get(node.state) ?? 0) + 1)
    counts.set(owner, states)
  }
  const groups = [...counts].map(([owner, states]): GraphGroup => {
    const told = TOLD.filter((state) => states.has(state))
    return {
      id: groupId(owner),
      key: owner,
      owner: byId.get(owner),
      count: [...states.values()].reduce((sum, some) => sum + some, 0),
      state: told[0] ?? (states.size === 1 && states.has('hint') ? 'hint' : 'ok'),
      hasFailed: states.has('error'),
      isFull: opened.has(owner),
      words: told.map((state) => `${count(states.get(state))} ${STATE_WORDS[state].toLowerCase()}`).join(', '),
    }
  })
  const placeOf = (id: string) => {
    const owner = owners.get(id)
    return owner === undefined ? id : groupId(owner)
  }
  const drawn = new Map<string, GraphEdge>()
  for (const edge of edges) {
    const [from, to] = [placeOf(edge.from), placeOf(edge.to)]
    if (from === edge.from && to === edge.to) drawn.set(edge.id, edge)
    else if (from !== to) {
      const id = `${from}\u0000${to}`
      drawn.set(id, { id, from, to, count: edge.count + (drawn.get(id)?.count ?? 0) })
    }
  }
  return { groups, edges: [...drawn.values()] }
}

function groupId(owner: string): string {
  return `${owner}\u0000gathered`
}

/** What a screen reader says of a group: "281 more nodes near agent planner, 3 failed". */
export function groupName({ owner, count: size, words, isFull }: GraphGroup): string {
  const where = owner === undefined ? 'elsewhere' : `near ${owner.kind} ${owner.name}`
  return [`${plural(size, 'more node')} ${where}`, words, isFull && 'as many as can be drawn are shown'].filter(Boolean).join(', ')
}
