import type { Request, Response } from 'express'
import { noSuchRun } from '../no-such-run.ts'
import type { RunListRow } from '../store/reads/runs.ts'
import { refuse } from './refuse.ts'
import type { RunFinder } from './run-finder.ts'

type RunHandler = (run: RunListRow, request: Request, response: Response) => void | Promise<void>

/** A handler for `…/:runId…`; 404 when there is no such run. */
export function withRun(find: RunFinder, handle: RunHandler) {
  return async (request: Request, response: Response) => {
    const runId = String(request.params['runId'])
    const run = await find(runId)
    if (run === undefined) refuse(response, 404, noSuchRun(runId).problem.message)
    else await handle(run, request, response)
  }
}
