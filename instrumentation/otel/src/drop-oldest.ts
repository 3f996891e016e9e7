/** Keeps a map at most `limit` long, where one is added at a time: the entry added first goes. */
export function dropOldest<Key>(map: Map<Key, unknown>, limit: number): void {
  if (map.size <= limit) return
  for (const key of map.keys()) {
    map.delete(key)
    return
  }
}
