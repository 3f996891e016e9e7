import { randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { RunInfo } from '@graphmind-ai/schema'
import { type Request, type Response, Router } from 'express'
import type { Kysely } from 'kysely'
import { importFile } from '../import/import-file.ts'
import type { ImportProgress, ImportSummary } from '../import/import-job.ts'
import type { FileImport } from '../ingest/ingest-thread.ts'
import type { Remapped } from '../ingest/messages.ts'
import { messageOf, type Result } from '../problem.ts'
import { type Liveness, runInfoOf } from '../store/reads/run-info.ts'
import { runsById } from '../store/reads/runs.ts'
import type { Tables } from '../store/tables.ts'
import { readText } from './query.ts'

/** Largest file an import takes over HTTP; it waits on disk while it is read. */
const MAX_IMPORT_BYTES = 8 * 1024 * 1024 * 1024
// A progress line a piece would be thousands.
const PROGRESS_INTERVAL_MS = 200
const NDJSON = 'application/x-ndjson'

export interface ImportRoutesOptions {
  readonly database: Kysely<Tables>
  readonly liveness: Liveness
  readonly begin: () => FileImport
  readonly remap: (runId: string) => Promise<Result<Remapped>>
  /** Beginning of the paths where uploads wait: beside the database, as a temporary folder may be in memory. */
  readonly waitingPath: string
  readonly maxBytes?: number
}

/**
 * `POST /api/import?file=name`: the file's bytes in, `{runs, skipped, skippedCount, spans, events, logs}` out; with `Accept: application/x-ndjson` in lines:
 * `{progress}`, then a `{run}` each, then the rest. `POST /api/runs/:id/remap` derives a run's events anew.
 */
export function importRoutes(options: ImportRoutesOptions): Router {
  const router = Router()
  router.post('/import', (request, response) => receive(request, response, options))
  router.post('/runs/:runId/remap', async (request, response) => {
    const remapped = await options.remap(request.params.runId)
    if (remapped.ok) response.json(remapped.value)
    else response.status(remapped.problem.code === 'no-such-run' ? 404 : 503).json({ error: remapped.problem.message })
  })
  return router
}

/** Removes uploads that a server which was killed left behind. Only the server that owns these paths may call it. */
export async function removeLeftUploads(waitingPath: string): Promise<void> {
  const folder = dirname(waitingPath)
  const left = (await readdir(folder)).filter((name) => name.startsWith(basename(waitingPath)))
  await Promise.all(left.map((name) => rm(join(folder, name), { force: true })))
}

async function receive(request: Request, response: Response, options: ImportRoutesOptions): Promise<void> {
  const file = readText(request.query['file']) ?? 'the file'
  const waiting = `${options.waitingPath}${randomUUID()}`
  try {
    const stored = await keep(request, waiting, options.maxBytes ?? MAX_IMPORT_BYTES)
    if (stored !== undefined) return refuse(response, stored.status, stored.message)
    const lines = request.headers.accept === NDJSON
    if (lines) response.setHeader('Content-Type', NDJSON)
    const report = lines ? progressLines(response) : undefined
    const imported = await importFile(file, createReadStream(waiting, { highWaterMark: 128 * 1024 }), options.begin(), report)
    await rm(waiting, { force: true })
    await answer(response, file, imported, options, lines)
  } finally {
    await rm(waiting, { force: true })
  }
}

/** Takes the whole body first: the time a request may take to arrive is limited, and storing a large file takes longer. */
async function keep(request: Request, path: string, maxBytes: number): Promise<{ status: number; message: string } | undefined> {
  let size = 0
  const limit = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length
      if (size > maxBytes) done(new Error('too large'))
      else done(null, chunk)
    },
  })
  try {
    await pipeline(request, limit, createWriteStream(path, { mode: 0o600 }))
    return undefined
  } catch (error) {
    if (size > maxBytes)
      return { status: 413, message: `The file is larger than ${Math.floor(maxBytes / 1024 ** 3)} GiB. Import it in parts.` }
    return { status: 503, message: `The file could not be taken in: ${messageOf(error)}.` }
  }
}

function progressLines(response: Response): (done: ImportProgress) => void {
  let last = 0
  return ({ spans, events, logs, packing }) => {
    const now = performance.now()
    if (now - last < PROGRESS_INTERVAL_MS) return
    last = now
    response.write(`${JSON.stringify({ progress: { spans, events, logs, packing } })}\n`)
  }
}

async function answer(
  response: Response,
  file: string,
  imported: Result<ImportSummary>,
  { database, liveness }: ImportRoutesOptions,
  lines: boolean,
): Promise<void> {
  if (!imported.ok) {
    const { code, message } = imported.problem
    if (lines) response.end(`${JSON.stringify({ error: message, code })}\n`)
    else response.status(code.startsWith('import-') ? 422 : 503).json({ error: message, code })
    return
  }
  const { runIds, skipped, skippedCount, spans, events, logs } = imported.value
  const summary = { skipped: skipped.map(({ line, reason }) => ({ file, line, reason })), skippedCount, spans, events, logs }
  const runs: RunInfo[] = []
  for await (const page of runsById(database, runIds)) {
    const infos = page.map((row) => runInfoOf(row, liveness))
    if (lines) response.write(infos.map((run) => `${JSON.stringify({ run })}\n`).join(''))
    else runs.push(...infos)
  }
  if (lines) response.end(`${JSON.stringify(summary)}\n`)
  else response.json({ runs, ...summary })
}

function refuse(response: Response, status: number, error: string): void {
  response.setHeader('Connection', 'close')
  response.status(status).json({ error })
}
