import { emptyRun, foldEnvelope, type RunPicture } from '@graphmind-ai/schema'
import type { Kysely } from 'kysely'
import type { Tables } from '../tables.ts'
import { allEvents, envelopeOf } from './events.ts'

/** A run as all its stored events tell it. */
export async function readPicture(database: Kysely<Tables>, run: { readonly id: string; readonly key: number }): Promise<RunPicture> {
  const picture = emptyRun(run.id)
  for await (const row of allEvents(database, run.key)) foldEnvelope(picture, envelopeOf(run.id, row))
  return picture
}
