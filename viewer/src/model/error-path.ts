import type { RunPicture } from '@graphmind-ai/schema'
import { pathToRoot } from './rows.ts'

/** The boxes in which something failed, and those that called them. */
export function errorPath(picture: RunPicture, nodeOf: (instanceId: string) => string | undefined): ReadonlySet<string> {
  const nodes = new Set<string>()
  for (const instance of picture.instances.values()) {
    if (instance.errors.length === 0 && instance.status !== 'error') continue
    for (const { id } of pathToRoot(picture, instance.id)) {
      const node = nodeOf(id)
      if (node !== undefined) nodes.add(node)
    }
  }
  return nodes
}
