import type { OtlpKeyValue } from '../../otlp/otlp-json.ts'
import { type Fields, isFields, pick } from '../../otlp/read-value.ts'
import { ok } from '../../problem.ts'
import type { Frame, Leaf } from '../leaf.ts'
import { anyValueOf, jsonAttribute, jsonOf, textAttribute } from '../values/attributes.ts'
import { resources, scopes, spanOf } from '../values/span.ts'
import { nanosFrom } from '../values/times.ts'
import type { TraceFormat } from './format.ts'

const OBSERVATION = 'langfuse.observation.'
// What the Langfuse SDK calls itself in OTLP, so that the vocabulary is recognised.
const SCOPE = { name: 'langfuse-sdk' }

/** Langfuse observations, as its API, its downloads and its exports to a bucket give them: on their own, in a page, or inside their trace. */
export const langfuse: TraceFormat = {
  name: 'Langfuse observations',

  claims: (fields, leaf) => isObservation(fields) || isTraceBesideObservations(leaf),

  // The trace's name and session may stand behind its observations.
  waitsFor: ({ name, parent }, patient) => (patient && name === 'observations' && parent?.closed === false ? parent : undefined),

  read(given, leaf) {
    if (!isObservation(given)) {
      if (leaf.parent !== undefined) traces.set(leaf.parent, given)
      return ok({ kind: 'nothing' })
    }
    const fields = camelCased(given)
    const span = spanOf({
      traceId: fields['traceId'] ?? traceOf(leaf)['id'],
      spanId: fields['id'],
      parentSpanId: fields['parentObservationId'],
      name: fields['name'],
      kind: 1,
      startNanos: nanosFrom(fields['startTime']),
      // An event is a moment; any other observation without an end is open.
      endNanos: nanosFrom(fields['type'] === 'EVENT' ? fields['startTime'] : fields['endTime']),
      attributes: attributesOf(fields, traceOf(leaf)),
      isError: fields['level'] === 'ERROR',
      message: fields['statusMessage'],
    })
    if (!span.ok) return span
    const resource = resources.of({ attributes: textAttribute('deployment.environment.name', fields['environment']) })
    return ok({ kind: 'spans', spans: [{ span: span.value, resource, scope: scopes.of(SCOPE) }] })
  },
}

function isObservation(fields: Fields): boolean {
  if (typeof fields['id'] !== 'string' || typeof fields['type'] !== 'string') return false
  const owner = pick(fields, 'traceId', 'trace_id') ?? pick(fields, 'parentObservationId', 'parent_observation_id') ?? fields['level']
  return pick(fields, 'startTime', 'start_time') !== undefined && Boolean(owner)
}

/** Exports to a bucket spell the names as columns. */
function camelCased(fields: Fields): Fields {
  if (fields['start_time'] === undefined) return fields
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [key.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()), value]),
  )
}

/** In downloads of Langfuse's page the trace stands beside its observations: `{"trace": {…}, "observations": […]}`. */
function isTraceBesideObservations({ name, fields }: Leaf): boolean {
  return name === 'trace' && typeof fields['id'] === 'string' && fields['timestamp'] !== undefined
}

const traces = new WeakMap<Frame, Fields>()

function traceOf({ name, parent }: Leaf): Fields {
  return name === 'observations' && parent !== undefined ? (traces.get(parent) ?? parent.fields) : {}
}

function attributesOf(fields: Fields, trace: Fields): readonly OtlpKeyValue[] {
  const { usage, usageDetails, costDetails, completionStartTime } = fields
  const total = [fields['calculatedTotalCost'], fields['totalPrice'], fields['totalCost']].find((cost) => typeof cost === 'number')
  return [
    ...textAttribute(`${OBSERVATION}type`, String(fields['type']).toLowerCase()),
    ...jsonAttribute(`${OBSERVATION}input`, fields['input']),
    ...jsonAttribute(`${OBSERVATION}output`, fields['output']),
    ...textAttribute(`${OBSERVATION}level`, fields['level']),
    ...textAttribute(`${OBSERVATION}status_message`, fields['statusMessage']),
    ...textAttribute(`${OBSERVATION}model.name`, fields['model'] ?? fields['providedModelName']),
    ...jsonAttribute(`${OBSERVATION}model.parameters`, fields['modelParameters']),
    ...jsonAttribute(`${OBSERVATION}usage_details`, isSaid(usageDetails) ? usageDetails : usage),
    ...jsonAttribute(`${OBSERVATION}cost_details`, isSaid(costDetails) || total === undefined ? costDetails : { total }),
    // The SDK writes the time as JSON text.
    ...(typeof completionStartTime === 'string' ? textAttribute(`${OBSERVATION}completion_start_time`, jsonOf(completionStartTime)) : []),
    ...textAttribute(`${OBSERVATION}prompt.name`, fields['promptName']),
    ...jsonAttribute(`${OBSERVATION}metadata`, fields['metadata']),
    ...textAttribute('langfuse.trace.name', trace['name'] ?? fields['traceName']),
    ...textAttribute('session.id', trace['sessionId'] ?? fields['sessionId']),
    ...textAttribute('user.id', trace['userId'] ?? fields['userId']),
    ...tagsAttribute(trace['tags'] ?? fields['tags']),
  ]
}

function tagsAttribute(tags: unknown): readonly OtlpKeyValue[] {
  return Array.isArray(tags) && tags.length > 0 ? [{ key: 'langfuse.trace.tags', value: anyValueOf(tags) }] : []
}

/** Not every way out of Langfuse fills them in. */
function isSaid(details: unknown): boolean {
  return typeof details === 'string' || (isFields(details) && Object.keys(details).length > 0)
}
