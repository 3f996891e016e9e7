/** Writes protobuf's wire format into one growing buffer. */
class Writer {
  bytes = Buffer.allocUnsafe(1 << 16)
  length = 0

  room(count) {
    if (this.length + count <= this.bytes.length) return
    const larger = Buffer.allocUnsafe(Math.max(this.bytes.length * 2, this.length + count))
    this.bytes.copy(larger, 0, 0, this.length)
    this.bytes = larger
  }

  varint(number) {
    this.room(10)
    let left = BigInt.asUintN(64, BigInt(number))
    for (; left > 127n; left >>= 7n) this.bytes[this.length++] = Number(left & 127n) | 128
    this.bytes[this.length++] = Number(left)
  }

  tag(field, wireType) {
    this.varint(field * 8 + wireType)
  }

  hex(field, digits) {
    this.tag(field, 2)
    this.varint(digits.length / 2)
    this.room(digits.length / 2)
    this.length += this.bytes.write(digits, this.length, 'hex')
  }

  string(field, text) {
    const size = Buffer.byteLength(text)
    this.tag(field, 2)
    this.varint(size)
    this.room(size)
    this.length += this.bytes.write(text, this.length)
  }

  integer(field, number) {
    this.tag(field, 0)
    this.varint(number)
  }

  fixed64(field, number) {
    this.tag(field, 1)
    this.room(8)
    this.length = this.bytes.writeBigUInt64LE(number, this.length)
  }

  fixed32(field, number) {
    this.tag(field, 5)
    this.room(4)
    this.length = this.bytes.writeUInt32LE(number, this.length)
  }

  double(field, number) {
    this.tag(field, 1)
    this.room(8)
    this.length = this.bytes.writeDoubleLE(number, this.length)
  }

  /** Writes the body behind its tag, then moves it up to make room for its length. */
  message(field, body) {
    this.tag(field, 2)
    const at = this.length
    body(this)
    const size = this.length - at
    let prefix = 1
    for (let left = size; left > 127; left = Math.floor(left / 128)) prefix++
    this.room(prefix)
    this.bytes.copyWithin(at + prefix, at, this.length)
    this.length = at
    this.varint(size)
    this.length += size
  }
}

function writeValue(writer, value) {
  if (typeof value === 'string') writer.string(1, value)
  else if (typeof value === 'boolean') writer.integer(2, value ? 1 : 0)
  else if (typeof value === 'bigint') writer.integer(3, value)
  else if (typeof value === 'number') writer.double(4, value)
  else {
    writer.message(5, () => {
      for (const item of value) writer.message(1, () => writeValue(writer, item))
    })
  }
}

function writeAttributes(writer, field, attributes) {
  for (const [key, value] of attributes) {
    writer.message(field, () => {
      writer.string(1, key)
      writer.message(2, () => writeValue(writer, value))
    })
  }
}

function writeSpan(writer, span) {
  writer.hex(1, span.traceId)
  writer.hex(2, span.spanId)
  if (span.parentSpanId) writer.hex(4, span.parentSpanId)
  writer.string(5, span.name)
  writer.integer(6, span.kind)
  writer.fixed64(7, span.start)
  if (span.end) writer.fixed64(8, span.end)
  writeAttributes(writer, 9, span.attributes)
  for (const event of span.events) {
    writer.message(11, () => {
      writer.fixed64(1, event.time)
      writer.string(2, event.name)
      writeAttributes(writer, 3, event.attributes)
    })
  }
  writer.message(15, () => {
    if (span.status.message) writer.string(2, span.status.message)
    if (span.status.code) writer.integer(3, span.status.code)
  })
  writer.fixed32(16, 1)
}

/** An OTLP trace request in protobuf, from the field numbers of opentelemetry-proto. */
export function encodeProtobuf(groups) {
  const writer = new Writer()
  for (const { resource, scope, spans } of groups) {
    writer.message(1, () => {
      writer.message(1, () => writeAttributes(writer, 1, resource))
      writer.message(2, () => {
        writer.message(1, () => {
          writer.string(1, scope.name)
          if (scope.version) writer.string(2, scope.version)
        })
        for (const span of spans) writer.message(2, () => writeSpan(writer, span))
      })
    })
  }
  return Buffer.from(writer.bytes.subarray(0, writer.length))
}
