import { childrenOf, type NodeKind, type RunPicture, rootInstances } from '@graphmind-ai/schema'

interface RowPlace {
  readonly key: string
  /** From 1. */
  readonly level: number
  readonly expanded: boolean
  readonly expandable: boolean
}

/** One line of the timeline: a call, or many calls of one node that came one after the other, folded to one line. */
export type TimelineRow =
  | (RowPlace & { readonly type: 'call'; readonly instanceId: string; readonly orphan: boolean })
  | (RowPlace & { readonly type: 'group'; readonly kind: NodeKind; readonly name: string; readonly instanceIds: readonly string[] })

/** More like calls than this, one after the other, are one line until opened. */
const MOST_ALIKE = 5

type Entry = { readonly id: string } | { readonly group: string; readonly ids: readonly string[] }

/** The run in tree order. `folded` names calls whose children are hidden, `opened` groups whose calls are shown. */
export function timelineRows(picture: RunPicture, folded: ReadonlySet<string>, opened: ReadonlySet<string>): readonly TimelineRow[] {
  const rows: TimelineRow[] = []
  // A list of what is left, not recursion: a tree may be deeper than the stack.
  const left: { readonly entries: readonly Entry[]; next: number }[] = [{ entries: gather(picture, rootInstances(picture)), next: 0 }]
  for (let line = left.at(-1); line !== undefined; line = left.at(-1)) {
    const entry = line.entries[line.next]
    if (entry === undefined) {
      left.pop()
      continue
    }
    line.next += 1
    const level = left.length
    if ('group' in entry) {
      const first = picture.instances.get(entry.ids[0] ?? '')
      if (first === undefined) continue
      const expanded = opened.has(entry.group)
      const { kind, name } = first
      rows.push({ type: 'group', key: entry.group, level, expanded, expandable: true, kind, name, instanceIds: entry.ids })
      if (expanded) left.push({ entries: entry.ids.map((id) => ({ id })), next: 0 })
      continue
    }
    const children = childrenOf(picture, entry.id)
    const expanded = !folded.has(entry.id)
    const parent = picture.instances.get(entry.id)?.parentInstanceId
    const orphan = level === 1 && parent !== undefined && !picture.instances.has(parent)
    rows.push({ type: 'call', key: entry.id, instanceId: entry.id, level, expanded, expandable: children.length > 0, orphan })
    if (expanded && children.length > 0) left.push({ entries: gather(picture, children), next: 0 })
  }
  return rows
}

/** Puts calls of the same node that follow each other together when they are many. */
function gather(picture: RunPicture, ids: readonly string[]): readonly Entry[] {
  const entries: Entry[] = []
  let alike: string[] = []
  let nodeId: string | undefined
  const close = () => {
    const [first] = alike
    if (first !== undefined && alike.length > MOST_ALIKE) entries.push({ group: `group ${first}`, ids: alike })
    else entries.push(...alike.map((id) => ({ id })))
    alike = []
  }
  for (const id of ids) {
    const next = picture.instances.get(id)?.nodeId
    if (next !== nodeId) close()
    nodeId = next
    alike.push(id)
  }
  close()
  return entries
}

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
