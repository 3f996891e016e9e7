import type { Attributes } from '@graphmind-ai/mappings'

/** What our own processor says about a span (`graphmind.*`, design 6). Only our copies carry any. */
export interface SpanMarks {
  /** The copy came from our processor, so it outranks every other. */
  readonly ours: boolean
  readonly phase?: 'start' | 'end'
  readonly session?: string
  readonly attempt?: number
  readonly heldMs?: number
  readonly injected?: boolean
  readonly ungated?: string
}

const NONE: SpanMarks = { ours: false }

export function marksOf(attributes: Attributes): SpanMarks {
  let ours = false
  for (const key in attributes) {
    if (key.startsWith('graphmind.')) {
      ours = true
      break
    }
  }
  if (!ours) return NONE
  const phase = attributes['graphmind.span.phase']
  const session = attributes['graphmind.session']
  const attempt = attributes['graphmind.attempt']
  const heldMs = attributes['graphmind.heldMs']
  const ungated = attributes['graphmind.ungated']
  return {
    ours: true,
    ...(phase === 'start' || phase === 'end' ? { phase } : {}),
    ...(typeof session === 'string' ? { session } : {}),
    ...(typeof attempt === 'number' ? { attempt } : {}),
    ...(typeof heldMs === 'number' ? { heldMs } : {}),
    ...(attributes['graphmind.injected'] === true ? { injected: true } : {}),
    ...(typeof ungated === 'string' ? { ungated } : {}),
  }
}
