import { once } from 'node:events'
import { type Request, type Response, Router } from 'express'
import type { Kysely } from 'kysely'
import { exportName } from '../export/export-name.ts'
import type { ExportFormat } from '../export/format.ts'
import { DEFAULT_EXPORT_FORMAT, exportFormat } from '../export/formats.ts'
import { SecretMask } from '../export/secrets.ts'
import type { RunListRow } from '../store/reads/runs.ts'
import type { Tables } from '../store/tables.ts'
import { readText } from './query.ts'
import { refuse } from './refuse.ts'
import type { RunFinder } from './run-finder.ts'
import { withRun } from './with-run.ts'

/** `GET /api/runs/:id/export?format=…`: the run as a file; values under secret keys masked unless `secrets=keep`. `…/export/redacted`: which they are. */
export function exportRoutes(database: Kysely<Tables>, find: RunFinder): Router {
  const router = Router()
  router.get(
    '/runs/:runId/export',
    inFormat(find, async (run, format, request, response) => {
      const mask = readText(request.query['secrets']) === 'keep' ? undefined : new SecretMask()
      const { contentType, extension, write } = format
      response.setHeader('Content-Type', contentType)
      response.setHeader('Content-Disposition', `attachment; filename="${exportName(run.id, extension)}"`)
      for await (const piece of write(database, run, mask)) {
        if (response.destroyed) return
        // A reader that is slower than the store must not make us hold the file.
        if (!response.write(piece)) await Promise.race([once(response, 'drain'), once(response, 'close')])
      }
      response.end()
    }),
  )
  // A file that is being sent can't say at its beginning what is left out of it, so whoever wants to know asks for that alone.
  router.get(
    '/runs/:runId/export/redacted',
    inFormat(find, async (run, format, _request, response) => {
      const mask = new SecretMask()
      for await (const _piece of format.write(database, run, mask)) if (response.destroyed) return
      response.json({ redacted: [...mask.counts].map(([key, count]) => ({ key, count })) })
    }),
  )
  return router
}

type ExportHandler = (run: RunListRow, format: ExportFormat, request: Request, response: Response) => Promise<void>

/** A handler for a run in the format that is asked for; 400 when there is no such format, 404 when there is no such run. */
function inFormat(find: RunFinder, handle: ExportHandler) {
  return async (request: Request, response: Response) => {
    const format = exportFormat(readText(request.query['format']) ?? DEFAULT_EXPORT_FORMAT)
    if (format.ok) await withRun(find, (run) => handle(run, format.value, request, response))(request, response)
    else refuse(response, 400, format.problem.message)
  }
}
