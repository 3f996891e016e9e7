import type { Pruned } from '../../ingest/messages.ts'
import { openStore } from '../../ingest/open-store.ts'
import { failed, ok, type Result } from '../../problem.ts'
import { readPruneWish } from '../../store/library/prune-wish.ts'
import type { Cli } from '../cli.ts'
import { retentionSettings } from '../retention-settings.ts'
import { refusalOf } from '../server/server-api.ts'
import type { Environment } from '../settings.ts'
import { printable } from '../show/printable.ts'
import { openRecords, type Records, type RecordsFlags } from './records.ts'

export interface PruneFlags extends RecordsFlags {
  readonly keep?: string
  readonly days?: string
  readonly dryRun?: boolean
  readonly json?: boolean
}

interface Limits {
  readonly keep?: number
  readonly olderThan?: string
}

/** Removes runs beyond the limits given, or beyond those of the environment; running, held and pinned ones stay. */
export async function pruneRuns(flags: PruneFlags, { console, environment }: Cli): Promise<Result<undefined>> {
  const limits = readLimits(flags)
  if (!limits.ok) return limits
  const records = await openRecords(flags, environment)
  if (!records.ok) return records
  await records.value.close()
  const pruned = await prune(records.value, limits.value, flags.dryRun === true, environment)
  if (!pruned.ok) return pruned
  if (flags.json === true) console.out(JSON.stringify(pruned.value))
  else report(pruned.value, flags.dryRun === true, console.out)
  return ok(undefined)
}

function readLimits({ keep, days }: PruneFlags): Result<Limits> {
  for (const [flag, text] of Object.entries({ keep, days }))
    if (text !== undefined && !/^\d{1,9}$/.test(text)) return failed('prune', `--${flag} takes a whole number, not "${printable(text)}".`)
  return ok({ ...(keep === undefined ? {} : { keep: Number(keep) }), ...(days === undefined ? {} : { olderThan: `${days}d` }) })
}

async function prune({ path, server }: Records, limits: Limits, dryRun: boolean, environment: Environment): Promise<Result<Pruned>> {
  const isLimited = limits.keep !== undefined || limits.olderThan !== undefined
  const wish = isLimited ? readPruneWish(limits) : undefined
  if (wish?.ok === false) return wish
  const retention = retentionSettings(environment)
  if (!retention.ok) return retention
  const policy = wish?.value.policy ?? retention.value
  if (policy === undefined)
    return failed('prune', 'GRAPHMIND_RETENTION is off, so nothing is too old. Say what is to stay: --keep 50, or --days 7.')
  if (server !== undefined) {
    if (!isLimited) return failed('prune', 'The server prunes by its own limits all the time. Say what is to stay: --keep 50, or --days 7.')
    const answer = await server.ask('/api/runs/prune', { method: 'POST', body: { ...limits, dryRun } })
    if (!answer.ok) return answer
    return answer.value.status === 200 ? ok(answer.value.body as Pruned) : failed('prune', refusalOf(answer.value))
  }
  const store = await openStore(path)
  if (!store.ok) return store
  try {
    return await store.value.ingest.changeLibrary({ type: 'prune', policy, held: [], dryRun })
  } finally {
    await store.value.close({ tidy: true })
  }
}

function report({ runs, bytes }: Pruned, dryRun: boolean, out: (line: string) => void): void {
  for (const { id, name } of runs) out(`${dryRun ? 'Would remove' : 'Removed'} ${printable(id)}  ${printable(name)}`)
  const size = `about ${(bytes / 1024 / 1024).toFixed(1)} MB`
  if (runs.length === 0) out('Nothing to remove.')
  else out(dryRun ? `${runs.length} runs, ${size}. Leave --dry-run out to remove them.` : `${runs.length} runs, ${size}.`)
}
