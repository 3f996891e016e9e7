import { ok, type Result } from '../../problem.ts'
import { type ResourceCut, type Slice, TraceCuts } from '../trace-cuts.ts'
import { appOf, type SplitRequest } from '../trace-part.ts'
import { checkSpan } from './check-span.ts'
import { Cursor } from './cursor.ts'
import { notReadable, PartReader } from './read-groups.ts'
import { unlessBroken } from './unless-broken.ts'

/** The fields that the spans of one resource or scope share, each with its tag. */
interface Surround {
  readonly fields: Slice[]
}

/**
 * Cuts an OTLP trace request in protobuf into a request for each trace, by copying bytes. Spans are checked to their last value, so that
 * what is taken here can be read later; a broken one is only counted.
 */
export function splitTraces(bytes: Uint8Array): Result<SplitRequest> {
  return unlessBroken(split, bytes, notReadable('trace'))
}

function split(bytes: Uint8Array): Result<SplitRequest> {
  const walk = new Walk(bytes)
  walk.request()
  return ok(walk.split())
}

class Walk {
  readonly #bytes: Buffer
  readonly #cursor: Cursor
  readonly #cuts = new TraceCuts<Surround, Surround>()

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.#cursor = new Cursor(bytes)
  }

  request(): void {
    const cursor = this.#cursor
    while (cursor.hasMore) {
      const tag = cursor.tag()
      if (tag === 0x0a) this.#resourceGroup()
      else cursor.skip(tag)
    }
  }

  split(): SplitRequest {
    return this.#cuts.split('protobuf', this.#bytes, (cuts) => joined(this.#bytes, cuts))
  }

  #resourceGroup(): void {
    const cursor = this.#cursor
    const outer = cursor.enter()
    const resource: Surround = { fields: [] }
    const reader = new PartReader()
    const groups: number[] = []
    const oldGroups: number[] = []
    while (cursor.hasMore) {
      const from = cursor.at
      const tag = cursor.tag()
      if (tag === 0x12 || tag === 0x1f42) {
        ;(tag === 0x12 ? groups : oldGroups).push(cursor.at)
        cursor.leave(cursor.enter())
        continue
      }
      if (tag === 0x0a) reader.readResource(cursor)
      else if (tag === 0x1a) cursor.text()
      else cursor.skip(tag)
      resource.fields.push({ from, end: cursor.at })
    }
    const app = appOf(reader.resource(''))
    // The resource may stand behind its spans, and older senders' groups come last, as when they are read.
    for (const at of [...groups, ...oldGroups]) {
      cursor.goTo(at)
      this.#scopeGroup(resource, app)
    }
    cursor.leave(outer)
  }

  #scopeGroup(resource: Surround, app: string): void {
    const cursor = this.#cursor
    const outer = cursor.enter()
    const scope: Surround = { fields: [] }
    const reader = new PartReader()
    while (cursor.hasMore) {
      const from = cursor.at
      const tag = cursor.tag()
      if (tag === 0x12) {
        this.#span(from, resource, scope, app)
        continue
      }
      if (tag === 0x0a) reader.readScope(cursor)
      else if (tag === 0x1a) cursor.text()
      else cursor.skip(tag)
      scope.fields.push({ from, end: cursor.at })
    }
    cursor.leave(outer)
  }

  #span(from: number, resource: Surround, scope: Surround, app: string): void {
    const cursor = this.#cursor
    const outer = cursor.enter()
    const { end } = cursor
    const checked = checkSpan(cursor)
    // A broken span may have been left in one of its own messages.
    cursor.leave(outer, end)
    if (checked.ok) this.#cuts.add(checked.value, app, { from, end, resource, scope })
    else this.#cuts.rejected.add(checked.problem.message)
  }
}

const RESOURCE_SPANS = 0x0a
const SCOPE_SPANS = 0x12

/** The request that holds just these spans, in their order. */
function joined(bytes: Buffer, cuts: readonly ResourceCut<Surround, Surround>[]): Uint8Array {
  const out = cuts.map(({ resource, scopes }) => {
    const groups = scopes.map(({ scope, spans }) => message(SCOPE_SPANS, [...slices(bytes, scope.fields), ...slices(bytes, spans)]))
    return message(RESOURCE_SPANS, [...slices(bytes, resource.fields), ...groups])
  })
  const [only] = out
  return out.length === 1 && only !== undefined ? only : Buffer.concat(out)
}

function slices(bytes: Buffer, parts: readonly Slice[]): Uint8Array[] {
  return parts.map(({ from, end }) => bytes.subarray(from, end))
}

/** A field that holds a message of these bytes. */
function message(tag: number, content: readonly Uint8Array[]): Uint8Array {
  let size = 0
  for (const piece of content) size += piece.byteLength
  const head = [tag]
  for (let rest = size; ; rest >>>= 7) {
    if (rest < 0x80) {
      head.push(rest)
      break
    }
    head.push((rest & 0x7f) | 0x80)
  }
  const out = Buffer.allocUnsafe(head.length + size)
  out.set(head)
  let at = head.length
  for (const piece of content) {
    out.set(piece, at)
    at += piece.byteLength
  }
  return out
}
