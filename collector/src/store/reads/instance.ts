import { emptyRun, foldEnvelope, type InstancePicture, isTraceRunId } from '@graphmind-ai/schema'
import type { Kysely } from 'kysely'
import type { PageMemory } from '../pages/page-memory.ts'
import type { Tables } from '../tables.ts'
import { envelopeOf } from './events.ts'
import { atOneMoment, EVENT, inOrder, pagedEvents, pagedNaming, pagedWanted } from './pages.ts'

const EVERYTHING = { afterSeq: undefined, limit: Number.POSITIVE_INFINITY }

/** One instance as its events tell it, with everything that was said of those whose alias it is. */
export function readInstance(
  database: Kysely<Tables>,
  run: { readonly id: string; readonly key: number },
  instanceId: string,
  memory: PageMemory,
): Promise<InstancePicture | undefined> {
  return atOneMoment(database, (moment) => instanceOf(moment, run, instanceId, memory))
}

async function instanceOf(
  database: Kysely<Tables>,
  run: { readonly id: string; readonly key: number },
  instanceId: string,
  memory: PageMemory,
): Promise<InstancePicture | undefined> {
  const members = await membersOf(database, run.key, instanceId, memory)
  const picture = emptyRun(run.id)
  const rows = await database
    .selectFrom('events')
    .select(EVENT)
    .where('run', '=', run.key)
    .where((where) =>
      // Apps that number their runs may leave the instance out; then the events around tell whose an event is.
      isTraceRunId(run.id) ? where.or([where('instance_id', 'in', members), where('type', '=', 'exec.resumed')]) : where.lit(true),
    )
    .orderBy('seq')
    .execute()
  const wanted = { instances: new Set(members), types: new Set(['exec.resumed']) }
  const paged = isTraceRunId(run.id)
    ? await pagedWanted(database, run.key, wanted, memory)
    : await pagedEvents(database, run.key, EVERYTHING)
  for (const row of inOrder(rows, paged)) foldEnvelope(picture, envelopeOf(run.id, row))
  return picture.instances.get(picture.aliases.get(instanceId) ?? instanceId)
}

/** The instance, what it is an alias of, and what is an alias of it. */
async function membersOf(database: Kysely<Tables>, run: number, instanceId: string, memory: PageMemory): Promise<readonly string[]> {
  const rows = await database
    .selectFrom('events')
    .select(['instance_id', 'payload'])
    .where('run', '=', run)
    .where('type', '=', 'node.started')
    .where('payload', 'like', '%"aliasOf":%')
    .execute()
  const paged = await pagedNaming(database, run, 'aliasOf', memory)
  const aliases = [...rows, ...paged.filter(({ type, payload }) => type === 'node.started' && payload.includes('"aliasOf":'))]
  const members = new Set([instanceId])
  for (let size = 0; size !== members.size; ) {
    size = members.size
    for (const { instance_id, payload } of aliases) {
      const { aliasOf } = JSON.parse(payload) as { readonly aliasOf?: unknown }
      if (instance_id === null || typeof aliasOf !== 'string') continue
      if (members.has(instance_id)) members.add(aliasOf)
      else if (members.has(aliasOf)) members.add(instance_id)
    }
  }
  return [...members]
}
