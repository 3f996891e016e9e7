import { type RunPicture, treeOf } from '@graphmind-ai/schema'
import {
  type CallRow,
  callRow,
  idsBelow,
  type Listing,
  listRows,
  ORPHANS,
  orphanRows,
  type RowFolds,
  type RowList,
  rowsBelow,
  type TreeRow,
} from './tree-rows.ts'

/**
 * The lines as of now, at the cost of what came since `before`; they are listed anew when something moved, or was folded or opened. The lines
 * of `before` stay as they are.
 */
export function growRows(before: RowList | undefined, picture: RunPicture, folds: RowFolds): RowList {
  const tree = treeOf(picture)
  if (before === undefined || before.tree !== tree || before.folds !== folds) return listRows(picture, folds)
  if (before.seen === tree.arrivals.length) return before
  const listing: Listing = { picture, tree, folds }
  const lines: Lines = { rows: before.rows.slice(), places: before.places }
  const cameBelow = new Map<string | undefined, Set<string>>()
  for (let at = before.seen; at < tree.arrivals.length; at += 1) {
    const arrival = tree.arrivals[at]
    if (arrival === undefined) continue
    const parent = arrival.isOrphan ? ORPHANS : arrival.parent
    const ids = cameBelow.get(parent)
    if (ids === undefined) cameBelow.set(parent, new Set([arrival.id]))
    else ids.add(arrival.id)
  }
  // A parent without a line is hidden, or new itself and comes with its own parent. The deepest come first: what is listed anew above them
  // takes them along.
  const shown = [...cameBelow]
    .map(([parent, came]) => ({ parent, came, level: levelBelow(lines, parent) }))
    .filter(({ level }) => level > 0)
  for (const { parent, came, level } of shown.sort((one, other) => other.level - one.level)) takeIn(listing, lines, parent, level, came)
  // The first of these bring their heading along.
  if (tree.orphans.length > 0 && placeOf(lines, ORPHANS) < 0) put(lines, lines.rows.length, lines.rows.length, orphanRows(listing))
  return { rows: lines.rows, folds, tree, seen: tree.arrivals.length, places: lines.places }
}

/** What a call takes as its arguments has an end; more are put in by a copy. */
const MOST_SPLICED = 10_000

interface Lines {
  rows: TreeRow[]
  readonly places: Map<string, number>
}

/** The level of what is below this call, 0 when it has no line. */
function levelBelow(lines: Lines, parent: string | undefined): number {
  if (parent === undefined) return 1
  const row = lines.rows[placeOf(lines, parent)]
  return row === undefined ? 0 : row.level + 1
}

/** Adds the lines of calls that came below a call that has a line already, if it shows what is below it. */
function takeIn(listing: Listing, lines: Lines, parent: string | undefined, level: number, came: ReadonlySet<string>): void {
  const { rows } = lines
  const at = parent === undefined ? -1 : placeOf(lines, parent)
  const row = rows[at]
  if (row?.type === 'heading') rows[at] = { ...row, count: listing.tree.orphans.length }
  else if (row?.expandable === false) rows[at] = { ...row, expandable: true }
  if (row?.expanded === false) return
  const start = at + 1
  // The heading of the orphans, which stand last, is of the level of the roots.
  const heading = parent === undefined && listing.tree.orphans.length > 0 ? placeOf(lines, ORPHANS) : -1
  const end = heading < 0 ? endOfLevel(rows, start, level) : heading
  const ids = idsBelow(listing.tree, parent)
  const firstNew = ids.length - came.size
  // One that began before its siblings moves them: what is below this call is listed anew.
  const from = ids.slice(firstNew).every((id) => came.has(id)) ? firstNew : 0
  if (from === 0) {
    put(lines, start, end, rowsBelow(listing, parent, level, 0))
    return
  }
  const alike = alikeBefore(listing, ids, from)
  if (alike === 'group') extendGroup(listing, lines, { parent, ids, from, level, start, end })
  else {
    const first = ids[from - alike]
    const cut = alike === 0 || first === undefined ? end : rows.findLastIndex((row, at) => at < end && row.key === first)
    put(lines, cut, end, rowsBelow(listing, parent, level, from - alike))
  }
}

/** How many like calls the new ones follow on; `group` when so many that they are one line. */
function alikeBefore({ picture, folds }: Listing, ids: readonly string[], from: number): number | 'group' {
  const nodeId = picture.instances.get(ids[from] ?? '')?.nodeId
  let alike = 0
  while (alike < from && picture.instances.get(ids[from - 1 - alike] ?? '')?.nodeId === nodeId) {
    alike += 1
    if (alike > folds.mostAlike) return 'group'
    // Without groups nothing is drawn otherwise for what follows it.
    if (folds.mostAlike === Number.POSITIVE_INFINITY) return 0
  }
  return alike
}

interface Tail {
  readonly parent: string | undefined
  readonly ids: readonly string[]
  /** The first new one. */
  readonly from: number
  readonly level: number
  /** The lines below the parent. */
  readonly start: number
  readonly end: number
}

function extendGroup(listing: Listing, lines: Lines, { parent, ids, from, level, start, end }: Tail): void {
  const { picture } = listing
  const { rows } = lines
  const at = rows.findLastIndex((row, at) => at < end && row.level === level)
  const group = rows[at]
  if (at < start || group?.type !== 'group') {
    put(lines, start, end, rowsBelow(listing, parent, level, 0))
    return
  }
  const nodeId = picture.instances.get(group.instanceIds[0] ?? '')?.nodeId
  let next = from
  while (next < ids.length && picture.instances.get(ids[next] ?? '')?.nodeId === nodeId) next += 1
  rows[at] = { ...group, instanceIds: group.instanceIds.concat(ids.slice(from, next)) }
  const inGroup = group.expanded
    ? ids.slice(from, next).flatMap((id, nth) => withBelow(listing, id, parent, level + 1, from + nth + 1))
    : []
  put(lines, end, end, [...inGroup, ...rowsBelow(listing, parent, level, next)])
}

function withBelow(listing: Listing, id: string, parent: string | undefined, level: number, position: number): TreeRow[] {
  const row: CallRow = callRow(listing, id, parent, level, position)
  return row.expanded && row.expandable ? [row, ...rowsBelow(listing, id, level + 1, 0)] : [row]
}

function put(lines: Lines, from: number, to: number, put: readonly TreeRow[]): void {
  if (put.length < MOST_SPLICED) lines.rows.splice(from, to - from, ...put)
  else lines.rows = [...lines.rows.slice(0, from), ...put, ...lines.rows.slice(to)]
}

/** Where the lines from `start` on end that are of this level or deeper. */
function endOfLevel(rows: readonly TreeRow[], start: number, level: number): number {
  let end = start
  while (end < rows.length && (rows[end]?.level ?? 0) >= level) end += 1
  return end
}

/** Where the line of a call is, −1 when it is hidden: looked for from where it was, for lines move down, else from the end, where a live run grows. */
function placeOf({ rows, places }: Lines, key: string): number {
  const hint = places.get(key)
  if (hint !== undefined)
    for (let at = hint; at < rows.length; at += 1) {
      if (rows[at]?.key !== key) continue
      places.set(key, at)
      return at
    }
  const at = rows.findLastIndex((row) => row.key === key)
  if (at >= 0) places.set(key, at)
  return at
}
