import { once } from 'node:events'
import { Router } from 'express'
import type { Kysely } from 'kysely'
import { exportName } from '../export/export-name.ts'
import { DEFAULT_EXPORT_FORMAT, exportFormat } from '../export/formats.ts'
import { SecretMask } from '../export/secrets.ts'
import type { Tables } from '../store/tables.ts'
import { readText } from './query.ts'
import type { RunFinder } from './run-finder.ts'

/** `GET /api/runs/:id/export?format=…`: the run as a file; values under secret keys masked unless `secrets=keep`. `…/export/redacted`: which they are. */
export function exportRoutes(database: Kysely<Tables>, find: RunFinder): Router {
  const router = Router()
  router.get('/runs/:runId/export', async (request, response) => {
    const format = exportFormat(readText(request.query['format']) ?? DEFAULT_EXPORT_FORMAT)
    if (!format.ok) return void response.status(400).json({ error: format.problem.message })
    const run = await find(request.params.runId)
    if (run === undefined) return void response.status(404).json({ error: `There is no run ${request.params.runId}.` })
    const mask = readText(request.query['secrets']) === 'keep' ? undefined : new SecretMask()
    const { contentType, extension, write } = format.value
    response.setHeader('Content-Type', contentType)
    response.setHeader('Content-Disposition', `attachment; filename="${exportName(run.id, extension)}"`)
    for await (const piece of write(database, run, mask)) {
      if (response.destroyed) return
      // A reader that is slower than the store must not make us hold the file.
      if (!response.write(piece)) await Promise.race([once(response, 'drain'), once(response, 'close')])
    }
    response.end()
  })
  // A file that is being sent can't say at its beginning what is left out of it, so whoever wants to know asks for that alone.
  router.get('/runs/:runId/export/redacted', async (request, response) => {
    const format = exportFormat(readText(request.query['format']) ?? DEFAULT_EXPORT_FORMAT)
    if (!format.ok) return void response.status(400).json({ error: format.problem.message })
    const run = await find(request.params.runId)
    if (run === undefined) return void response.status(404).json({ error: `There is no run ${request.params.runId}.` })
    const mask = new SecretMask()
    for await (const _piece of format.value.write(database, run, mask)) if (response.destroyed) return
    response.json({ redacted: [...mask.counts].map(([key, count]) => ({ key, count })) })
  })
  return router
}
