import { SPAN_NAMES } from '../../otlp/json/signal-names.ts'
import { readSpan } from '../../otlp/read-span.ts'
import { pick } from '../../otlp/read-value.ts'
import { ok } from '../../problem.ts'
import type { TraceFormat } from './format.ts'
import { OtlpGroups } from './otlp-groups.ts'

const groups = new OtlpGroups(SPAN_NAMES)

/** OTLP/JSON in all its spellings: whole documents, groups or bare spans, on their own or inside an API's answer. */
export const otlp: TraceFormat = {
  name: 'OTLP/JSON',

  claims(fields, leaf) {
    const inGroup = groups.holds(leaf)
    const hasId = pick(fields, 'spanId', 'span_id') !== undefined || inGroup
    const attributes = fields['attributes']
    const isList = attributes === undefined || attributes === null || Array.isArray(attributes)
    return hasId && isList && (inGroup || pick(fields, 'startTimeUnixNano', 'start_time_unix_nano') !== undefined)
  },

  waitsFor: (leaf, patient) => groups.waitsFor(leaf, patient),

  read(fields, leaf) {
    const span = readSpan(fields)
    if (!span.ok) return span
    return ok({ kind: 'spans', spans: [{ span: span.value, ...groups.partsOf(fields, leaf) }] })
  },
}
