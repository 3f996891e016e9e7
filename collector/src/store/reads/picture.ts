import { emptyRun, foldEnvelope, type RunPicture } from '@graphmind-ai/schema'
import type { Kysely } from 'kysely'
import type { Tables } from '../tables.ts'
import { envelopeOf, readEvents } from './events.ts'

const PAGE = 1000

/** A run as all its stored events tell it. */
export async function readPicture(database: Kysely<Tables>, run: { readonly id: string; readonly key: number }): Promise<RunPicture> {
  const picture = emptyRun(run.id)
  for (let afterSeq: number | undefined; ; ) {
    const rows = await readEvents(database, run.key, { afterSeq, limit: PAGE })
    for (const row of rows) foldEnvelope(picture, envelopeOf(run.id, row))
    if (rows.length < PAGE) return picture
    afterSeq = rows.at(-1)?.seq
  }
}
