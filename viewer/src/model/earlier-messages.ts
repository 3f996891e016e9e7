import type { ChatMessage } from './chat.ts'

/** How many messages at the start were already in the previous call of the same node, so that only the new ones need reading. */
export function earlierMessages(previous: readonly ChatMessage[] | undefined, current: readonly ChatMessage[]): number {
  if (previous === undefined) return 0
  let same = 0
  while (same < previous.length && same < current.length && JSON.stringify(previous[same]) === JSON.stringify(current[same])) same += 1
  return same
}
