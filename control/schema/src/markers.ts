import { REDACTED } from './capabilities.ts'

/** Ends a text that was cut because it was too large to send. */
export const TRUNCATED_SUFFIX = '…[graphmind: truncated]'

/** Why a value must not go back into a program: it is not the value, but what stood in for it. */
export type ForbiddenMarker = 'placeholder' | 'truncated'

const CUT_TEXT = /…\[graphmind: truncated\]$|…\[truncated\]$|^<\d+ bytes>$|…\[depth limit\]$|…: \[\d+ more keys\]$|…\[\d+ more\]$/

/**
 * Looks through a value for the redaction placeholder or the mark of a cut, of any SDK of the 0.6 generation. Viewer, hub and client
 * all ask it before a value is injected or an input is edited.
 */
export function findForbiddenMarker(value: unknown): ForbiddenMarker | undefined {
  // A list of what is left, not recursion: the value is a peer's and may be nested deeper than the stack.
  const left: unknown[] = [value]
  const seen = new Set<object>()
  while (left.length > 0) {
    const next = left.pop()
    if (typeof next === 'string') {
      const marker = markerOfText(next)
      if (marker !== undefined) return marker
    } else if (typeof next === 'object' && next !== null && !seen.has(next)) {
      seen.add(next)
      if (isCutObject(next)) return 'truncated'
      for (const [key, child] of Object.entries(next)) {
        if (!Array.isArray(next)) left.push(key)
        left.push(child)
      }
    }
  }
  return undefined
}

function markerOfText(text: string): ForbiddenMarker | undefined {
  if (text.includes(REDACTED)) return 'placeholder'
  return CUT_TEXT.test(text) ? 'truncated' : undefined
}

function isCutObject(value: object): boolean {
  if ('__graphmindTruncated' in value && value.__graphmindTruncated === true) return true
  return '__graphmind' in value && (value.__graphmind === 'truncated' || value.__graphmind === 'unserializable')
}
