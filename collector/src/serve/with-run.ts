import type { Request, Response } from 'express'
import type { Kysely } from 'kysely'
import { findRun, type RunListRow } from '../store/reads/runs.ts'
import type { Tables } from '../store/tables.ts'
import { refuse } from './refuse.ts'

type RunHandler = (run: RunListRow, request: Request, response: Response) => void | Promise<void>

/** A handler for `…/:runId…`; 404 when there is no such run. */
export function withRun(database: Kysely<Tables>, handle: RunHandler) {
  return async (request: Request, response: Response) => {
    const runId = String(request.params['runId'])
    const run = await findRun(database, runId)
    if (run === undefined) refuse(response, 404, `There is no run ${runId}.`)
    else await handle(run, request, response)
  }
}
