import { mapSpan } from '@graphmind-ai/mappings'
import { type LiveSpan, toSpanView } from './live-span.ts'

/** What a call gave that has ended, as its span says. */
export function callEndOf(span: LiveSpan): { readonly output: unknown } | { readonly error: unknown } {
  const mapped = mapSpan(toSpanView(span))
  if (mapped.role !== 'node') return { output: undefined }
  return mapped.error === undefined ? { output: mapped.output } : { error: mapped.error }
}
