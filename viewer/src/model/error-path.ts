import type { RunPicture } from '@graphmind-ai/schema'
import { pathToRoot } from './rows.ts'

/** The nodes in which something failed, and those that called them. */
export function errorPath(picture: RunPicture): ReadonlySet<string> {
  const nodes = new Set<string>()
  for (const instance of picture.instances.values()) {
    if (instance.errors.length === 0 && instance.status !== 'error') continue
    for (const { nodeId } of pathToRoot(picture, instance.id)) nodes.add(nodeId)
  }
  return nodes
}
