import { useCallback, useMemo, useRef, useState } from 'react'
import type { Selection } from '../../model/address.ts'
import type { TimeAxis } from '../../model/time-axis.ts'

/** The part of the axis that is shown, in axis ms. */
export interface TimeWindow {
  readonly from: number
  readonly span: number
}

interface Chosen {
  readonly from: number
  readonly span: number
  /** It ended at the end of the run, so it goes along with it. */
  readonly atEnd: boolean
}

export interface TimeView extends TimeWindow {
  readonly zoomed: boolean
  /** Makes the shown part `factor` times as long around the axis position `around`. */
  zoom(factor: number, around?: number): void
  pan(part: number): void
  show(from: number, to: number): void
  all(): void
}

/** The least that can be shown, ms of the axis. */
const LEAST_MS = 0.05

function chosenOf(axis: TimeAxis, [from, to]: readonly [number, number]): Chosen {
  const start = axis.toAxis(axis.start + from)
  const end = axis.toAxis(axis.start + to)
  return { from: start, span: Math.max(LEAST_MS, end - start), atEnd: end >= axis.length * 0.9995 }
}

/** The shown part as ms since the run began, which stay right when idle times are folded; undefined when all of it is shown. */
export function rangeOf(view: TimeView, axis: TimeAxis): Selection['range'] {
  if (!view.zoomed) return undefined
  return [axis.toTime(view.from) - axis.start, axis.toTime(view.from + view.span) - axis.start]
}

/** Which part of an axis is shown: what the address says at first, else all of it, and what the reader chose since. */
export function useTimeView(axis: TimeAxis | undefined, range: Selection['range']): TimeView {
  const length = axis?.length ?? 1
  const [chosen, setChosen] = useState<Chosen | undefined>(() =>
    axis === undefined || range === undefined ? undefined : chosenOf(axis, range),
  )
  const span = Math.min(chosen?.span ?? length, length)
  const from = chosen === undefined ? 0 : chosen.atEnd ? length - span : Math.max(0, Math.min(chosen.from, length - span))
  const latest = useRef({ from, span, length })
  latest.current = { from, span, length }
  const show = useCallback((wantedFrom: number, wantedTo: number) => {
    const { length: whole } = latest.current
    const next = Math.max(LEAST_MS, wantedTo - wantedFrom)
    if (next >= whole) setChosen(undefined)
    else {
      const start = Math.max(0, Math.min(wantedFrom, whole - next))
      setChosen({ from: start, span: next, atEnd: start + next >= whole * 0.9995 })
    }
  }, [])
  const zoom = useCallback(
    (factor: number, around?: number) => {
      const now = latest.current
      const centre = around ?? now.from + now.span / 2
      const next = now.span * factor
      const start = centre - (centre - now.from) * factor
      show(start, start + next)
    },
    [show],
  )
  const pan = useCallback(
    (part: number) => {
      const now = latest.current
      const start = Math.max(0, Math.min(now.from + now.span * part, now.length - now.span))
      show(start, start + now.span)
    },
    [show],
  )
  const all = useCallback(() => setChosen(undefined), [])
  return useMemo(() => ({ from, span, zoomed: chosen !== undefined, zoom, pan, show, all }), [from, span, chosen, zoom, pan, show, all])
}
