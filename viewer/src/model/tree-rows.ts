import { type NodeKind, type RunPicture, type RunTree, treeOf } from '@graphmind-ai/schema'

interface RowPlace {
  readonly key: string
  /** From 1. */
  readonly level: number
  readonly expanded: boolean
  readonly expandable: boolean
}

/** One line for one call. */
export interface CallRow extends RowPlace {
  readonly type: 'call'
  readonly instanceId: string
  /** The call it stands under, undefined for a root, `ORPHANS` for one whose parent has not come. */
  readonly parent: string | undefined
  /** Place among its siblings, from 1, for screen readers. */
  readonly position: number
}

/** One line for many calls of one node that came one after the other. */
export interface GroupRow extends RowPlace {
  readonly type: 'group'
  readonly kind: NodeKind
  readonly name: string
  readonly instanceIds: readonly string[]
}

/** The line above the calls whose parent has not come; it is never folded. */
export interface HeadingRow extends RowPlace {
  readonly type: 'heading'
  readonly count: number
}

export type TreeRow = CallRow | GroupRow | HeadingRow

/** Stands for the parent that has not come, as the key of its line. No id begins with a space. */
export const ORPHANS = ' orphans'

/** What a person folded and opened, and what is folded for them. */
export interface RowFolds {
  /** Calls whose children are hidden. */
  readonly folded: ReadonlySet<string>
  /** Groups whose calls are shown. */
  readonly opened: ReadonlySet<string>
  /** More like calls than this, one after the other, are one line until opened. */
  readonly mostAlike: number
}

/** The lines of a run, and what has to be known to go on from them when calls come. */
export interface RowList {
  readonly rows: readonly TreeRow[]
  readonly folds: RowFolds
  readonly tree: RunTree
  /** Arrivals of the tree that are among the lines. */
  readonly seen: number
  /** Where a line stood when it was last looked for; it may have moved on since. */
  readonly places: Map<string, number>
}

type Entry =
  | { readonly id: string; readonly position: number }
  | { readonly group: string; readonly ids: readonly string[]; readonly from: number }

/** The lines of the whole run, in tree order. */
export function listRows(picture: RunPicture, folds: RowFolds): RowList {
  const tree = treeOf(picture)
  const listing: Listing = { picture, tree, folds }
  const rows = [...rowsBelow(listing, undefined, 1, 0), ...orphanRows(listing)]
  return { rows, folds, tree, seen: tree.arrivals.length, places: new Map() }
}

export interface Listing {
  readonly picture: RunPicture
  readonly tree: RunTree
  readonly folds: RowFolds
}

/** The children of a call, the roots of the run, or the calls whose parent has not come. */
export function idsBelow({ tops, orphans, children }: RunTree, parent: string | undefined): readonly string[] {
  if (parent === undefined) return tops
  return parent === ORPHANS ? orphans : (children.get(parent) ?? [])
}

/** The lines of the calls whose parent has not come, under their heading; none where there are none. */
export function orphanRows(listing: Listing): readonly TreeRow[] {
  const { orphans } = listing.tree
  if (orphans.length === 0) return []
  const heading: HeadingRow = { type: 'heading', key: ORPHANS, level: 1, expanded: true, expandable: false, count: orphans.length }
  return [heading, ...rowsBelow(listing, ORPHANS, 2, 0)]
}

/** The lines of the children of a call from the one at `from` on, with all that is below them. */
export function rowsBelow(listing: Listing, parent: string | undefined, level: number, from: number): TreeRow[] {
  const { picture, tree, folds } = listing
  const rows: TreeRow[] = []
  // A list of what is left, not recursion: a tree may be deeper than the stack.
  const left: { readonly entries: readonly Entry[]; readonly parent: string | undefined; readonly level: number; next: number }[] = []
  const enter = (below: string | undefined, at: number, first = 0) =>
    left.push({ entries: gather(picture, idsBelow(tree, below), first, folds.mostAlike), parent: below, level: at, next: 0 })
  enter(parent, level, from)
  for (let line = left.at(-1); line !== undefined; line = left.at(-1)) {
    const entry = line.entries[line.next]
    if (entry === undefined) {
      left.pop()
      continue
    }
    line.next += 1
    if ('group' in entry) {
      const row = groupRow(listing, entry.group, entry.ids, line.level)
      rows.push(row)
      const entries = row.expanded ? entry.ids.map((id, nth) => ({ id, position: entry.from + nth + 1 })) : []
      left.push({ entries, parent: line.parent, level: line.level + 1, next: 0 })
      continue
    }
    const row = callRow(listing, entry.id, line.parent, line.level, entry.position)
    rows.push(row)
    if (row.expanded && row.expandable) enter(entry.id, line.level + 1)
  }
  return rows
}

export function callRow({ tree, folds }: Listing, id: string, parent: string | undefined, level: number, position: number): CallRow {
  const expandable = tree.children.has(id)
  return { type: 'call', key: id, instanceId: id, parent, level, expanded: !folds.folded.has(id), expandable, position }
}

function groupRow({ picture, folds }: Listing, key: string, instanceIds: readonly string[], level: number): GroupRow {
  const first = picture.instances.get(instanceIds[0] ?? '')
  const { kind = 'custom', name = '' } = first ?? {}
  return { type: 'group', key, level, expanded: folds.opened.has(key), expandable: true, kind, name, instanceIds }
}

export function groupKey(firstId: string): string {
  return `group ${firstId}`
}

/** Puts calls of the same node that follow each other together when they are many. */
function gather(picture: RunPicture, ids: readonly string[], from: number, mostAlike: number): readonly Entry[] {
  const entries: Entry[] = []
  const nodeAt = (at: number) => picture.instances.get(ids[at] ?? '')?.nodeId
  for (let at = from; at < ids.length; ) {
    const first = at
    const nodeId = nodeAt(first)
    do at += 1
    while (at < ids.length && nodeAt(at) === nodeId)
    const alike = ids.slice(first, at)
    if (alike.length > mostAlike) entries.push({ group: groupKey(alike[0] ?? ''), ids: alike, from: first })
    else entries.push(...alike.map((id, nth) => ({ id, position: first + nth + 1 })))
  }
  return entries
}
