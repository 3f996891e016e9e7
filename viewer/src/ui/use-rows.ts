import type { RunPicture } from '@graphmind-ai/schema'
import { useMemo, useRef } from 'react'
import { growRows } from '../model/grow-rows.ts'
import type { RowFolds, RowList, TreeRow } from '../model/tree-rows.ts'

const NO_ROWS: readonly TreeRow[] = []

/** The lines of a run; `structure` says that calls came or moved, as the picture changes in place. `folds` keeps its identity while nothing is folded or opened. */
export function useRows(picture: RunPicture | undefined, structure: number | undefined, folds: RowFolds): readonly TreeRow[] {
  const last = useRef<{ readonly picture: RunPicture; readonly list: RowList }>(undefined)
  return useMemo(() => {
    if (picture === undefined || structure === undefined) return NO_ROWS
    const before = last.current?.picture === picture ? last.current.list : undefined
    last.current = { picture, list: growRows(before, picture, folds) }
    return last.current.list.rows
  }, [picture, structure, folds])
}
