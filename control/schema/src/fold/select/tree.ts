import type { InstancePicture, RunPicture } from '../picture.ts'
import { stateOf } from '../state.ts'
import { byStart } from './start-order.ts'

/** An instance that came after the tree was made, and the one it hangs on. */
export interface Arrival {
  readonly id: string
  readonly parent: string | undefined
  /** Whether it names a parent that has not come. */
  readonly isOrphan: boolean
}

/**
 * A run as a tree by its instances. It grows in place while instances come, and is another object once one of them moved or went, so that
 * a reader who remembers the tree and how many arrivals it has seen knows what is new.
 */
export interface RunTree {
  /** What hangs on no shown instance, in start order: the run's roots, and orphans whose parent has not come. */
  readonly roots: readonly string[]
  /** The roots whose parent has not come, and the others. */
  readonly orphans: readonly string[]
  readonly tops: readonly string[]
  readonly children: ReadonlyMap<string, readonly string[]>
  readonly arrivals: readonly Arrival[]
}

interface GrowingTree extends RunTree {
  readonly roots: string[]
  readonly orphans: string[]
  readonly tops: string[]
  readonly children: Map<string, string[]>
  readonly arrivals: Arrival[]
  readonly latestOfNode: Map<string, InstancePicture>
  newest: InstancePicture | undefined
  /** Some parent is only known by its node: which instance that is depends on the order of all. */
  byNode: boolean
}

const trees = new WeakMap<RunPicture, GrowingTree>()
const NO_IDS: readonly string[] = []

/**
 * Ids of the instances that hang on no shown instance, in start order: the run's roots and orphans whose parent has not come. Of
 * parents in a circle the one that started first counts as a root, so that every instance is below some root.
 */
export function rootInstances(run: RunPicture): readonly string[] {
  return treeOf(run).roots
}

/** Ids of the instances directly below this one, in start order. */
export function childrenOf(run: RunPicture, instanceId: string): readonly string[] {
  return treeOf(run).children.get(instanceId) ?? NO_IDS
}

/** The tree as of now, at the cost of what came since it was last asked for. */
export function treeOf(run: RunPicture): RunTree {
  const { treeNews } = stateOf(run)
  const known = trees.get(run)
  if (known !== undefined && !treeNews.stale && (treeNews.arrived.length === 0 || takeAll(run, known, treeNews.arrived))) {
    treeNews.arrived.length = 0
    return known
  }
  treeNews.arrived.length = 0
  treeNews.stale = false
  const tree = build(run)
  trees.set(run, tree)
  return tree
}

function takeAll(run: RunPicture, tree: GrowingTree, arrived: readonly string[]): boolean {
  return arrived.every((id) => {
    const instance = run.instances.get(id)
    return instance !== undefined && take(run, tree, instance)
  })
}

/** Puts an instance that nobody else names as parent into the tree; false when that could move others. */
function take(run: RunPicture, tree: GrowingTree, instance: InstancePicture): boolean {
  const isNewest = tree.newest === undefined || byStart(tree.newest, instance) < 0
  const byNode = namesParentByNode(instance)
  if (!isNewest && (byNode || tree.byNode)) return false
  tree.byNode ||= byNode
  const named = parentOf(run, instance, tree.latestOfNode)
  const parent = named === instance.id ? undefined : named
  const orphan = parent === undefined && isOrphan(run, instance)
  if (isNewest) tree.newest = instance
  rememberLatest(tree, instance)
  if (parent === undefined) {
    insert(run, tree.roots, instance)
    insert(run, orphan ? tree.orphans : tree.tops, instance)
  } else {
    const siblings = tree.children.get(parent)
    if (siblings === undefined) tree.children.set(parent, [instance.id])
    else insert(run, siblings, instance)
  }
  tree.arrivals.push({ id: instance.id, parent, isOrphan: orphan })
  return true
}

function insert(run: RunPicture, ids: string[], instance: InstancePicture): void {
  let at = ids.length
  for (; at > 0; at -= 1) {
    const before = run.instances.get(ids[at - 1] ?? '')
    if (before === undefined || byStart(before, instance) < 0) break
  }
  ids.splice(at, 0, instance.id)
}

function build(run: RunPicture): GrowingTree {
  const sorted = [...run.instances.values()].sort(byStart)
  const tree: GrowingTree = {
    ...{ roots: [], orphans: [], tops: [], children: new Map(), arrivals: [] },
    ...{ latestOfNode: new Map(), newest: sorted.at(-1), byNode: false },
  }
  const parents = new Map<string, string>()
  for (const instance of sorted) {
    const parent = parentOf(run, instance, tree.latestOfNode)
    tree.byNode ||= namesParentByNode(instance)
    rememberLatest(tree, instance)
    if (parent !== undefined) parents.set(instance.id, parent)
  }
  const anchored = new Set<string>()
  for (const instance of sorted) {
    const { id } = instance
    const parent = parents.get(id)
    if (parent !== undefined && !closesCircle(id, parents, anchored)) {
      const siblings = tree.children.get(parent)
      if (siblings === undefined) tree.children.set(parent, [id])
      else siblings.push(id)
    } else {
      parents.delete(id)
      tree.roots.push(id)
      ;(isOrphan(run, instance) ? tree.orphans : tree.tops).push(id)
    }
  }
  return tree
}

function isOrphan(run: RunPicture, { parentInstanceId }: InstancePicture): boolean {
  return parentInstanceId !== undefined && !run.instances.has(parentInstanceId)
}

function rememberLatest({ latestOfNode }: GrowingTree, instance: InstancePicture): void {
  const latest = latestOfNode.get(instance.nodeId)
  if (latest === undefined || byStart(latest, instance) < 0) latestOfNode.set(instance.nodeId, instance)
}

function namesParentByNode({ parentInstanceId, parentId }: InstancePicture): boolean {
  return parentInstanceId === undefined && parentId !== undefined
}

/** True when going up from the instance leads back to it; everything on a way that ends is remembered as `anchored`. */
function closesCircle(id: string, parents: ReadonlyMap<string, string>, anchored: Set<string>): boolean {
  const path = new Set<string>()
  for (let at: string | undefined = id; at !== undefined && !anchored.has(at); at = parents.get(at)) {
    if (path.has(at)) return at === id
    path.add(at)
  }
  for (const member of path) anchored.add(member)
  return false
}

/** The shown parent; a sender that knows only node ids means the instance of that node that started last before this one. */
function parentOf(run: RunPicture, instance: InstancePicture, latestOfNode: ReadonlyMap<string, InstancePicture>): string | undefined {
  const { parentInstanceId, parentId } = instance
  if (parentInstanceId !== undefined) return run.instances.has(parentInstanceId) ? parentInstanceId : undefined
  return parentId === undefined ? undefined : latestOfNode.get(parentId)?.id
}
