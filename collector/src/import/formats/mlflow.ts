import type { OtlpKeyValue } from '../../otlp/otlp-json.ts'
import { type Fields, isFields } from '../../otlp/read-value.ts'
import type { Frame, Leaf } from '../leaf.ts'
import { textAttribute } from '../values/attributes.ts'
import type { TraceFormat } from './format.ts'
import { first, readRow, rowIds } from './rows.ts'

/** MLflow 2 and 3: `trace.to_json()`, `mlflow traces get` and `search`, rows of `search_traces()`, and the `traces.json` of a trace's artifacts. */
export const mlflow: TraceFormat = {
  name: 'MLflow traces',

  claims: ({ attributes, ...fields }) =>
    isFields(attributes) && rowIds.span(fields) !== undefined && Object.keys(attributes).some((key) => key.startsWith('mlflow.')),

  // What is said of the trace may stand behind its spans.
  waitsFor(leaf, patient) {
    const trace = traceOf(leaf)
    return patient && trace !== undefined && !trace.closed && infoOf(trace) === undefined ? trace : undefined
  },

  read(fields, leaf) {
    const isRoot = first(fields, 'parent_span_id', 'parent_id') === undefined
    const info = isRoot ? infoOf(traceOf(leaf)) : undefined
    return readRow(fields, info === undefined ? [] : runAttributes(info))
  },
}

/** The object that a list of spans is of: `{info, data: {spans}}`, or a row with the columns of both. */
function traceOf({ name, parent }: Leaf): Frame | undefined {
  if (name !== 'spans') return undefined
  return parent?.name === 'data' ? (parent.parent ?? parent) : parent
}

/** In a row of `search_traces()` the columns stand beside the spans. */
function infoOf(trace: Frame | undefined): Fields | undefined {
  const info = trace?.fields['info']
  if (isFields(info)) return info
  return trace?.fields['trace_metadata'] === undefined ? undefined : trace.fields
}

/** What the trace says of the run, as attributes of its root span, where the vocabulary finds them. */
function runAttributes(info: Fields): readonly OtlpKeyValue[] {
  const metadata = [info['trace_metadata'], info['request_metadata']].find(isFields) ?? {}
  const tags = isFields(info['tags']) ? info['tags'] : {}
  return [
    ...textAttribute('mlflow.traceName', tags['mlflow.traceName']),
    ...textAttribute('session.id', metadata['mlflow.trace.session']),
    ...textAttribute('user.id', metadata['mlflow.trace.user']),
    ...Object.entries(tags).flatMap(([key, value]) => (key.startsWith('mlflow.') ? [] : textAttribute(`mlflow.traceTag.${key}`, value))),
  ]
}
