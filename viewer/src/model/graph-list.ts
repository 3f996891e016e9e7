import type { GraphEdge } from './graph.ts'

/** One line of the graph as a list. */
export interface GraphLine<Node> {
  readonly key: string
  readonly node: Node
  /** From 1. */
  readonly level: number
  /** How often its caller took it; 0 for a hint, undefined for a root. */
  readonly taken: number | undefined
  /** Told further up already, so what it calls is not told again. */
  readonly again: boolean
}

/** The same content as the graph, as an indented list: each node under each of its callers, what it calls under its first place only. */
export function graphList<Node extends { readonly id: string }>(
  nodes: readonly Node[],
  edges: readonly GraphEdge[],
): readonly GraphLine<Node>[] {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const calls = new Map<string, GraphEdge[]>()
  const called = new Set<string>()
  for (const edge of edges) {
    calls.get(edge.from)?.push(edge) ?? calls.set(edge.from, [edge])
    if (edge.from !== edge.to) called.add(edge.to)
  }
  const lines: GraphLine<Node>[] = []
  const told = new Set<string>()
  const tell = (root: Node) => {
    const left: { node: Node; level: number; taken: number | undefined; key: string }[] = [
      { node: root, level: 1, taken: undefined, key: root.id },
    ]
    for (let line = left.pop(); line !== undefined; line = left.pop()) {
      const again = told.has(line.node.id)
      told.add(line.node.id)
      lines.push({ ...line, again })
      if (again) continue
      for (const { id, to, count } of [...(calls.get(line.node.id) ?? [])].reverse()) {
        const node = byId.get(to)
        if (node !== undefined) left.push({ node, level: line.level + 1, taken: count, key: id })
      }
    }
  }
  for (const node of nodes) if (!called.has(node.id)) tell(node)
  // What is left stands in circles that nothing outside calls.
  for (const node of nodes) if (!told.has(node.id)) tell(node)
  return lines
}
