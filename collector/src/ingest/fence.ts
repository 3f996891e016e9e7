import { isMetadataKey, mapSpan } from '@graphmind-ai/mappings'
import type { DecodedSpan } from '../otlp/decode.ts'
import { type DecodedLog, decodedLog, type StoredLog } from '../otlp/decode-logs.ts'
import type { OtlpKeyValue } from '../otlp/otlp-json.ts'
import { attributesOf } from '../otlp/span-view.ts'

const FOR_ALL: ReadonlySet<string> = new Set(['hideInputs', 'hideOutputs'])
const FOR_TOOLS: ReadonlySet<string> = new Set(['hideToolArgs', 'hideToolResults'])

/**
 * What of a span may be kept when its session has these redaction switches on: the same rule as in the app's process, for the copies that
 * the app's own exporter sends without knowing of them. Only metadata passes; error texts always do; tool switches concern tools only.
 */
export function fenceSpan(span: DecodedSpan, hide: readonly string[]): DecodedSpan {
  const all = hide.some((name) => FOR_ALL.has(name))
  if (!all && !(hide.some((name) => FOR_TOOLS.has(name)) && isTool(span))) return span
  const { raw, view } = span
  const attributes = raw.attributes.filter(isMetadata)
  const events = raw.events?.map((event) =>
    event.name === 'exception' ? event : { ...event, attributes: event.attributes.filter(isMetadata) },
  )
  const links = raw.links?.map((link) => ({ ...link, attributes: link.attributes.filter(isMetadata) }))
  return {
    ...span,
    raw: { ...raw, attributes, ...(events === undefined ? {} : { events }), ...(links === undefined ? {} : { links }) },
    view: {
      ...view,
      attributes: attributesOf(attributes),
      events: (events ?? []).map(({ name, attributes: kept }, index) => ({
        name,
        timeNanos: view.events[index]?.timeNanos ?? view.startNanos,
        attributes: attributesOf(kept),
      })),
      links: view.links.map((link, index) => ({ ...link, attributes: attributesOf(links?.[index]?.attributes ?? []) })),
    },
  }
}

/** The same for a log record; its body is content as a whole. Records about tools alone can't be told apart, so any switch fences all. */
export function fenceLog(log: DecodedLog, hide: readonly string[]): DecodedLog {
  if (hide.length === 0) return log
  const { record, ...stored } = JSON.parse(log.json) as StoredLog
  const { body: _body, ...rest } = record
  return decodedLog({ ...stored, record: { ...rest, eventName: log.view.name, attributes: record.attributes.filter(isMetadata) } })
}

function isMetadata({ key }: OtlpKeyValue): boolean {
  return isMetadataKey(key)
}

function isTool({ view }: DecodedSpan): boolean {
  const mapped = mapSpan(view)
  return mapped.role === 'node' && mapped.kind === 'tool'
}
