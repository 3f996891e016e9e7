/** Serialises a payload to JSON. What JSON can't say (a cycle, a bigint, a throwing getter) is named in its place. Never throws. */
export function serialize(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null'
  } catch {
    return serializePlain(value)
  }
}

// JSON.stringify gave up on a cycle, a bigint or a getter that throws: the tolerant walk is slower and only for such values.
function serializePlain(value: unknown): string {
  try {
    return JSON.stringify(toPlain(value, [])) ?? 'null'
  } catch {
    return JSON.stringify({ __graphmind: 'unserializable' })
  }
}

const MAX_DEPTH = 64

function toPlain(value: unknown, path: readonly object[]): unknown {
  if (typeof value === 'bigint') return value.toString()
  if (typeof value !== 'object' || value === null) return value
  if (path.includes(value)) return '[circular]'
  if (path.length >= MAX_DEPTH) return '…[depth limit]'
  if (ArrayBuffer.isView(value)) return `<${value.byteLength} bytes>`
  const inner = [...path, value]
  if (Array.isArray(value)) return value.map((item) => toPlain(item, inner))
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString()
  const plain: Record<string, unknown> = {}
  for (const key of Object.keys(value)) {
    try {
      plain[key] = toPlain(Reflect.get(value, key), inner)
    } catch {
      // A getter of the host's object threw; the rest of the object is still worth showing.
      plain[key] = { __graphmind: 'unserializable' }
    }
  }
  return plain
}
