import type { Payloads } from '@graphmind-ai/hub'
import type { Kysely } from 'kysely'
import { EnvelopeTemplates, sheetEnvelopes } from '../pages/sheet-envelopes.ts'
import type { Tables } from '../tables.ts'
import { type EventRange, envelopeJson } from './events.ts'
import { storedParts } from './history.ts'

/** Some events as the items of a JSON list, without its brackets. */
export interface EventText {
  readonly json: Uint8Array
  readonly lastSeq: number
}

/** The run's events above `afterSeq` and not above `range.lastSeq`, at most `limit`, in order, as text, some hundred at once. */
export async function* eventTexts(
  database: Kysely<Tables>,
  run: { readonly id: string; readonly key: number },
  { afterSeq, payloads, limit }: { readonly afterSeq: number | undefined; readonly payloads: Payloads; readonly limit: number },
  range: Pick<EventRange, 'lastSeq' | 'before'>,
): AsyncGenerator<EventText> {
  const templates = new EnvelopeTemplates(run.id)
  let left = limit
  const wish = { afterSeq, payloads, sheets: payloads === 'none' }
  for await (const part of storedParts(database, run.key, wish, range, limit)) {
    if ('sheet' in part) {
      const { bytes, count } = sheetEnvelopes(part.sheet.json, templates, left)
      yield { json: bytes, lastSeq: part.sheet.firstSeq + count - 1 }
      left -= count
    } else {
      const rows = part.rows.slice(0, left)
      const last = rows.at(-1)
      const json = rows.map((row) => envelopeJson(run.id, row)).join(',')
      if (last !== undefined) yield { json: Buffer.from(json), lastSeq: last.seq }
      left -= rows.length
    }
    if (left <= 0) return
  }
}
