/** Readers take a group at once; the OTLP endpoint and our import refuse 64 MiB. Characters of JSON. */
const MAX_GROUP_CHARS = 8 * 1024 * 1024

/** Items in a row of the same key, in groups that no reader finds too large; an item that is larger alone stands alone. */
export function inGroups<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
  charsOf: (item: Item) => number,
): readonly (readonly [Item, ...Item[]])[] {
  const groups: [Item, ...Item[]][] = []
  let last: { readonly key: string; readonly group: Item[]; chars: number } | undefined
  for (const item of items) {
    const key = keyOf(item)
    const chars = charsOf(item)
    if (last?.key === key && last.chars + chars <= MAX_GROUP_CHARS) {
      last.group.push(item)
      last.chars += chars
      continue
    }
    const group: [Item, ...Item[]] = [item]
    groups.push(group)
    last = { key, group, chars }
  }
  return groups
}
