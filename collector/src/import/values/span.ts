import type { OtlpEvent, OtlpKeyValue, OtlpLink, OtlpResource, OtlpScope, OtlpSpan } from '../../otlp/otlp-json.ts'
import { readText } from '../../otlp/read-value.ts'
import { failed, ok, type Result } from '../../problem.ts'
import { spanIdFrom, traceIdFrom } from './ids.ts'

const KINDS = ['UNSPECIFIED', 'INTERNAL', 'SERVER', 'CLIENT', 'PRODUCER', 'CONSUMER']

export interface SpanParts {
  readonly traceId: unknown
  readonly spanId: unknown
  readonly parentSpanId: unknown
  readonly traceState?: unknown
  readonly name: unknown
  /** OTLP number. */
  readonly kind: number
  readonly startNanos: string | undefined
  /** `0` for a span that did not end. */
  readonly endNanos: string | undefined
  readonly attributes: readonly OtlpKeyValue[]
  readonly events?: readonly OtlpEvent[]
  readonly links?: readonly OtlpLink[]
  readonly isError: boolean
  readonly isOk?: boolean
  readonly message?: unknown
}

/** Puts a span together; one without usable ids or times is a problem. */
export function spanOf(parts: SpanParts): Result<OtlpSpan> {
  const name = readText(parts.name)
  const traceId = traceIdFrom(parts.traceId)
  if (traceId === undefined) return failed('import-span', `span "${name.slice(0, 80)}" has no trace id`)
  const spanId = spanIdFrom(parts.spanId)
  if (spanId === undefined) return failed('import-span', `span "${name.slice(0, 80)}" has no span id`)
  const { startNanos, endNanos, events = [], links = [] } = parts
  if (startNanos === undefined || endNanos === undefined) return failed('import-span', `span ${spanId} has a time that can't be read`)
  const parentSpanId = spanIdFrom(parts.parentSpanId)
  const message = readText(parts.message)
  const traceState = readText(parts.traceState)
  return ok({
    traceId,
    spanId,
    ...(traceState === '' ? {} : { traceState }),
    ...(parentSpanId === undefined ? {} : { parentSpanId }),
    name,
    kind: parts.kind,
    startTimeUnixNano: startNanos,
    endTimeUnixNano: endNanos,
    attributes: parts.attributes,
    ...(events.length === 0 ? {} : { events }),
    ...(links.length === 0 ? {} : { links }),
    status: { ...(parts.isError ? { code: 2 } : parts.isOk === true ? { code: 1 } : {}), ...(message === '' ? {} : { message }) },
  })
}

/** The OTLP number of a span kind's name in any spelling (`SpanKind.CLIENT`, `SPAN_KIND_CLIENT`, `client`); undefined for other words. */
export function spanKindOf(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isInteger(value) && value >= 0 && value <= 5 ? value : undefined
  if (typeof value !== 'string') return undefined
  const index = KINDS.indexOf(value.toUpperCase().replace(/^(SPANKIND\.|SPAN_KIND_)/, ''))
  return index < 0 ? undefined : index
}

/** One resource object for equal ones, so that what is derived from it is derived once. */
export class Interned<Value extends OtlpResource | OtlpScope> {
  readonly #known = new Map<string, Value>()
  readonly #max: number

  constructor(max = 1000) {
    this.#max = max
  }

  of(value: Value): Value {
    const key = JSON.stringify(value)
    const known = this.#known.get(key)
    if (known !== undefined) return known
    if (this.#known.size >= this.#max) this.#known.clear()
    this.#known.set(key, value)
    return value
  }
}

export const resources = new Interned<OtlpResource>()
export const scopes = new Interned<OtlpScope>()
