import { childrenOf, type RunPicture, rootInstances } from '@graphmind-ai/schema'

/** The calls whose name, kind or id holds every word, in the order of the tree. */
export function findCalls(picture: RunPicture, text: string): readonly string[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return []
  const found: string[] = []
  const left = [...rootInstances(picture)].reverse()
  for (let id = left.pop(); id !== undefined; id = left.pop()) {
    const instance = picture.instances.get(id)
    const about = `${instance?.kind} ${instance?.name} ${id} ${instance?.model ?? ''} ${instance?.status}`.toLowerCase()
    if (words.every((word) => about.includes(word))) found.push(id)
    left.push(...[...childrenOf(picture, id)].reverse())
  }
  return found
}
