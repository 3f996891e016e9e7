import { openStore } from '../../ingest/open-store.ts'
import { failed, ok, type Problem, type Result } from '../../problem.ts'
import type { Cli } from '../cli.ts'
import { refusalOf, type ServerApi } from '../server/server-api.ts'
import { printable } from '../show/printable.ts'
import { openRecords, type RecordsFlags } from './records.ts'

/** Removes these runs through the server that has the database, else by itself. A problem when any of them could not be removed; the others are. */
export async function removeRuns(
  runIds: readonly string[],
  flags: RecordsFlags,
  { console, environment }: Cli,
): Promise<Result<undefined>> {
  const records = await openRecords(flags, environment)
  if (!records.ok) return records
  const { path, server, close } = records.value
  await close()
  const remover = server === undefined ? await localRemover(path) : ok(serverRemover(server))
  if (!remover.ok) return remover
  const problems: string[] = []
  try {
    for (const runId of runIds) {
      const problem = await remover.value.remove(runId)
      if (problem === undefined) console.out(`Removed ${printable(runId)}.`)
      else problems.push(problem.message)
    }
  } finally {
    await remover.value.close()
  }
  return problems.length === 0 ? ok(undefined) : failed('runs-not-removed', `${problems.join('\n')}\ngraphmind runs lists what there is.`)
}

interface Remover {
  remove(runId: string): Promise<Problem | undefined>
  close(): Promise<void>
}

function serverRemover(server: ServerApi): Remover {
  return {
    async remove(runId) {
      const answer = await server.ask(`/api/runs/${encodeURIComponent(runId)}?forever=true`, { method: 'DELETE' })
      if (!answer.ok) return answer.problem
      return answer.value.status < 300 ? undefined : { code: 'not-removed', message: refusalOf(answer.value) }
    },
    close: () => Promise.resolve(),
  }
}

async function localRemover(path: string): Promise<Result<Remover>> {
  const store = await openStore(path)
  if (!store.ok) return store
  const { ingest, close } = store.value
  return ok({
    async remove(runId) {
      const deleted = await ingest.changeLibrary({ type: 'delete', runId, forever: true, evenRunning: true })
      return deleted.ok ? undefined : deleted.problem
    },
    close: () => close({ tidy: true }),
  })
}
