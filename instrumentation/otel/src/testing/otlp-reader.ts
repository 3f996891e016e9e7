/** A span as a test wants to see it. */
export interface ReceivedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string
  readonly name: string
  /** Nanoseconds since 1970; 0 for a start copy. */
  readonly endNanos: bigint
  readonly status: number
  readonly attributes: Readonly<Record<string, unknown>>
  readonly events: readonly { readonly name: string; readonly attributes: Readonly<Record<string, unknown>> }[]
  readonly resource: Readonly<Record<string, unknown>>
  readonly scope: string
}

type Fields = ReadonlyMap<number, readonly (Buffer | bigint)[]>

/** Reads an ExportTraceServiceRequest, enough of it for tests. */
export function readSpans(body: Buffer): ReceivedSpan[] {
  return messages(fieldsOf(body), 1).flatMap((resourceSpans) => {
    const resource = attributesOf(messages(resourceSpans, 1)[0] ?? new Map(), 1)
    return messages(resourceSpans, 2).flatMap((scopeSpans) => {
      const scope = text(messages(scopeSpans, 1)[0] ?? new Map(), 1)
      return messages(scopeSpans, 2).map((span) => ({
        traceId: bytes(span, 1).toString('hex'),
        spanId: bytes(span, 2).toString('hex'),
        parentSpanId: bytes(span, 4).toString('hex'),
        name: text(span, 5),
        endNanos: integer(span, 8),
        status: Number(integer(messages(span, 15)[0] ?? new Map(), 3)),
        attributes: attributesOf(span, 9),
        events: messages(span, 11).map((event) => ({ name: text(event, 2), attributes: attributesOf(event, 3) })),
        resource,
        scope,
      }))
    })
  })
}

function attributesOf(owner: Fields, field: number): Record<string, unknown> {
  return Object.fromEntries(messages(owner, field).map((pair) => [text(pair, 1), plainValue(messages(pair, 2)[0] ?? new Map())]))
}

function plainValue(value: Fields): unknown {
  if (value.has(1)) return text(value, 1)
  if (value.has(2)) return integer(value, 2) === 1n
  if (value.has(3)) return Number(integer(value, 3))
  if (value.has(4)) return doubleOf(integer(value, 4))
  if (value.has(5)) return messages(messages(value, 5)[0] ?? new Map(), 1).map(plainValue)
  return undefined
}

function doubleOf(bits: bigint): number {
  const view = new DataView(new ArrayBuffer(8))
  view.setBigUint64(0, bits)
  return view.getFloat64(0)
}

function fieldsOf(buffer: Buffer): Fields {
  const fields = new Map<number, (Buffer | bigint)[]>()
  let at = 0
  const varint = () => {
    let value = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = buffer.readUInt8(at)
      at += 1
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return value
    }
  }
  const take = (length: number) => {
    at += length
    return buffer.subarray(at - length, at)
  }
  while (at < buffer.length) {
    const tag = Number(varint())
    const read = { 0: varint, 1: () => take(8).readBigUInt64LE(), 2: () => take(Number(varint())), 5: () => BigInt(take(4).readUInt32LE()) }
    const wireType = tag & 7
    if (wireType !== 0 && wireType !== 1 && wireType !== 2 && wireType !== 5) throw new Error(`wire type ${wireType}`)
    const values = fields.get(tag >> 3) ?? []
    values.push(read[wireType]())
    fields.set(tag >> 3, values)
  }
  return fields
}

function messages(owner: Fields, field: number): Fields[] {
  return (owner.get(field) ?? []).filter((value) => Buffer.isBuffer(value)).map(fieldsOf)
}

function bytes(owner: Fields, field: number): Buffer {
  const value = owner.get(field)?.[0]
  return Buffer.isBuffer(value) ? value : Buffer.alloc(0)
}

function text(owner: Fields, field: number): string {
  return bytes(owner, field).toString()
}

function integer(owner: Fields, field: number): bigint {
  const value = owner.get(field)?.[0]
  return typeof value === 'bigint' ? value : 0n
}
