import type { Envelope } from '../envelope.ts'
import { fitsPayload, MAX_TS } from '../parse.ts'
import { PROTOCOL_VERSION } from '../version.ts'
import type { Sheet } from './sheet.ts'

type Payload = Record<string, unknown>

/** The events of a sheet in order; one that can't be read is undefined. */
export type SheetEvents = readonly (Envelope | undefined)[]

/**
 * Reads a sheet of this run from outside; undefined when it is none. `runId` has been checked. An event is checked like an envelope that
 * comes by itself.
 */
export function readSheet(runId: string, value: Readonly<Record<string, unknown>>): SheetEvents | undefined {
  const { seq, ts, shapes, rows, contents } = value as { readonly [Key in keyof Sheet]: unknown }
  if (!Number.isSafeInteger(seq) || Number(seq) < 0 || !Number.isSafeInteger(ts)) return undefined
  if (!Array.isArray(shapes) || !Array.isArray(rows) || !(contents === undefined || Array.isArray(contents))) return undefined
  const readers = shapes.map((shape: unknown) => shapeReader(shape, contents as readonly unknown[] | undefined))
  const next = { content: 0 }
  return rows.map((row: unknown, index) => {
    if (!Array.isArray(row) || typeof row[0] !== 'number' || typeof row[1] !== 'number') return undefined
    const reader = readers[row[0]]
    const at = Number(ts) + row[1]
    if (reader === undefined || Math.abs(at) > MAX_TS) return undefined
    const { type } = reader
    const payload = reader.payload(row, next)
    if (!reader.fits(payload)) return undefined
    return { gm: PROTOCOL_VERSION, seq: Number(seq) + index, ts: at, runId, type, payload }
  })
}

interface ShapeReader {
  readonly type: string
  readonly payload: (row: readonly unknown[], next: { content: number }) => unknown
  readonly fits: (payload: unknown) => boolean
}

function shapeReader(shape: unknown, contents: readonly unknown[] | undefined): ShapeReader | undefined {
  if (!Array.isArray(shape) || typeof shape[0] !== 'string') return undefined
  const type = shape[0]
  const columns: unknown = shape[1]
  const fits = fitsPayload(type)
  if (columns === undefined) return { type, fits, payload: (row) => row[2] ?? {} }
  if (!Array.isArray(columns)) return undefined
  const template: Payload = {}
  const cells: string[] = []
  const holes: string[] = []
  const copies: (readonly [name: string, from: string])[] = []
  for (const column of columns as readonly unknown[]) {
    const [name, constant, sameAs]: readonly unknown[] = Array.isArray(column) ? column : [column]
    // Assigning it would change the prototype; the collector keeps such a payload whole.
    if (typeof name !== 'string' || name === '__proto__') return undefined
    if (typeof column === 'string') {
      holes.push(name)
      if (contents === undefined) continue
    } else if (constant === undefined) cells.push(name)
    else if (typeof sameAs === 'string') copies.push([name, sameAs])
    template[name] = constant ?? null
  }
  const omitted = contents === undefined && holes.length > 0 ? OMITTED_ORDER.filter((name) => holes.includes(name)) : undefined
  return {
    type,
    fits,
    payload(row, next) {
      // A copy of an object with all its fields is made at once, where adding one after another is not.
      const payload: Payload = { ...template }
      for (let index = 0; index < cells.length; index++) payload[cells[index] as string] = row[index + 2]
      for (const [name, from] of copies) payload[name] = payload[from]
      if (contents !== undefined) for (const name of holes) payload[name] = contents[next.content++]
      if (omitted !== undefined) payload['omitted'] = omitted
      return payload
    },
  }
}

/** As an event that comes by itself without payloads has them. */
const OMITTED_ORDER: readonly string[] = ['input', 'output', 'logged']
