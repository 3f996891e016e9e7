interface TreeLine {
  readonly level: number
  readonly expanded: boolean
}

/** What a key does in a tree that is drawn as lines. */
export type TreeMove =
  | { readonly type: 'go'; readonly to: number }
  | { readonly type: 'fold'; readonly fold: boolean }
  | { readonly type: 'stay' }

/** Moves as trees do, from the line at `at`, -1 for none; `to` may lie outside the lines. Undefined for a key that is not the tree's. */
export function treeMove<Line extends TreeLine>(
  key: string,
  lines: readonly Line[],
  at: number,
  isExpandable: (line: Line) => boolean,
): TreeMove | undefined {
  const active = lines[at]
  switch (key) {
    case 'ArrowDown':
      return { type: 'go', to: at + 1 }
    case 'ArrowUp':
      return { type: 'go', to: at < 0 ? 0 : at - 1 }
    case 'Home':
      return { type: 'go', to: 0 }
    case 'End':
      return { type: 'go', to: lines.length - 1 }
    case 'ArrowRight':
      if (active === undefined || !isExpandable(active)) return undefined
      return active.expanded ? { type: 'go', to: at + 1 } : { type: 'fold', fold: false }
    case 'ArrowLeft': {
      if (active === undefined) return undefined
      if (isExpandable(active) && active.expanded) return { type: 'fold', fold: true }
      const parent = lines.findLastIndex((line, lineAt) => lineAt < at && line.level < active.level)
      return parent < 0 ? { type: 'stay' } : { type: 'go', to: parent }
    }
    default:
      return undefined
  }
}
