import type { RunPicture } from '../fold/picture.ts'
import { edgesOf } from '../fold/select/edges.ts'
import { nodesOf } from '../fold/select/nodes.ts'
import { childrenOf, rootInstances } from '../fold/select/tree.ts'
import { runUsage } from '../fold/select/usage.ts'

/** Everything a reader can see of a run, without what only tells in which order it came. */
export function normalised(run: RunPicture): unknown {
  const instances = [...run.instances.values()].map(({ firstSeq: _first, lastSeq: _last, ...rest }) => rest)
  const pauses = [...run.pauses.values()].map(({ seq: _seq, ...rest }) => rest)
  const nodes = nodesOf(run).map(({ firstSeq: _first, ...rest }) => rest)
  return {
    run: { app: run.app, name: run.name, status: run.status, startedAt: run.startedAt, finishedAt: run.finishedAt, meta: run.meta },
    instances: sorted(instances, (instance) => instance.id),
    aliases: Object.fromEntries([...run.aliases].sort()),
    pauses: sorted(pauses, (pause) => pause.pauseId),
    hints: sorted([...run.hints.values()], (hint) => hint.nodeId),
    nodes: sorted(nodes, (node) => node.nodeId),
    edges: sorted(edgesOf(run), (edge) => `${edge.from} ${edge.to}`),
    roots: rootInstances(run),
    children: Object.fromEntries([...run.instances.keys()].sort().map((id) => [id, childrenOf(run, id)])),
    usage: runUsage(run),
  }
}

function sorted<Item>(items: readonly Item[], key: (item: Item) => string): Item[] {
  return [...items].sort((one, other) => (key(one) < key(other) ? -1 : 1))
}
