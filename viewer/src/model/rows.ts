import { type InstancePicture, type NodePicture, nodesOf, type RunPicture } from '@graphmind-ai/schema'

/** The node an instance belongs to, with its instances in order of start. */
export function nodeOf(picture: RunPicture, nodeId: string): NodePicture | undefined {
  return nodesOf(picture).find((node) => node.nodeId === nodeId)
}

/** The instance and its shown ancestors, nearest first. */
export function pathToRoot(picture: RunPicture, instanceId: string): readonly InstancePicture[] {
  const path: InstancePicture[] = []
  const seen = new Set<string>()
  for (let id: string | undefined = instanceId; id !== undefined && !seen.has(id); ) {
    seen.add(id)
    const instance: InstancePicture | undefined = picture.instances.get(id)
    if (instance === undefined) break
    path.push(instance)
    id = instance.parentInstanceId
  }
  return path
}

/** Of a node's instances the one to look at first: a waiting one, else a running one, else the last. */
export function instanceToShow(picture: RunPicture, node: NodePicture): string | undefined {
  const withStatus = (status: InstancePicture['status']) => (id: string) => picture.instances.get(id)?.status === status
  return node.instanceIds.find(withStatus('paused')) ?? node.instanceIds.findLast(withStatus('running')) ?? node.instanceIds.at(-1)
}
