import type { InstancePicture, RunPicture } from '../picture.ts'
import { stateOf } from '../state.ts'
import { byStart } from './start-order.ts'

interface Tree {
  readonly version: number
  readonly roots: readonly string[]
  readonly children: ReadonlyMap<string, readonly string[]>
}

const trees = new WeakMap<RunPicture, Tree>()

/**
 * Ids of the instances that hang on no shown instance, in start order: the run's roots and orphans whose parent has not come. Of
 * parents in a circle the one that started first counts as a root, so that every instance is below some root.
 */
export function rootInstances(run: RunPicture): readonly string[] {
  return treeOf(run).roots
}

/** Ids of the instances directly below this one, in start order. */
export function childrenOf(run: RunPicture, instanceId: string): readonly string[] {
  return treeOf(run).children.get(instanceId) ?? []
}

function treeOf(run: RunPicture): Tree {
  const version = stateOf(run).treeVersion
  const known = trees.get(run)
  if (known !== undefined && known.version === version) return known
  const tree = build(run, version)
  trees.set(run, tree)
  return tree
}

function build(run: RunPicture, version: number): Tree {
  const sorted = [...run.instances.values()].sort(byStart)
  const latestOfNode = new Map<string, string>()
  const parents = new Map<string, string>()
  const roots: string[] = []
  const children = new Map<string, string[]>()
  for (const instance of sorted) {
    const parent = parentOf(run, instance, latestOfNode)
    latestOfNode.set(instance.nodeId, instance.id)
    if (parent !== undefined) parents.set(instance.id, parent)
  }
  const anchored = new Set<string>()
  for (const { id } of sorted) {
    const parent = parents.get(id)
    if (parent !== undefined && !closesCircle(id, parents, anchored)) {
      const siblings = children.get(parent)
      if (siblings === undefined) children.set(parent, [id])
      else siblings.push(id)
    } else {
      parents.delete(id)
      roots.push(id)
    }
  }
  return { version, roots, children }
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
function parentOf(run: RunPicture, instance: InstancePicture, latestOfNode: ReadonlyMap<string, string>): string | undefined {
  const { parentInstanceId, parentId } = instance
  if (parentInstanceId !== undefined) return run.instances.has(parentInstanceId) ? parentInstanceId : undefined
  return parentId === undefined ? undefined : latestOfNode.get(parentId)
}
