import { type Response, Router } from 'express'
import type { LibraryAnswers, LibraryChange } from '../ingest/messages.ts'
import type { Problem, Result } from '../problem.ts'
import { readPruneWish } from '../store/library/prune-wish.ts'
import { readRunMarks } from '../store/library/run-marks.ts'
import { type Liveness, runInfoOf } from '../store/reads/run-info.ts'
import type { ByteBudget } from './byte-budget.ts'
import { readJson, statusOfBody } from './read-json.ts'
import { refuseProblem } from './refuse.ts'

export interface LibraryRoutesOptions {
  readonly liveness: Liveness
  readonly budget: ByteBudget
  readonly changeLibrary: <Type extends LibraryChange['type']>(
    change: Extract<LibraryChange, { type: Type }>,
  ) => Promise<Result<LibraryAnswers[Type]>>
}

const MAX_COMMAND_BYTES = 64 * 1024
const STATUS: { readonly [code: string]: number } = { 'no-such-run': 404, 'run-running': 409, 'run-held': 409 }

/** What a person does to runs as wholes: rename, tag, pin, note, delete, bring back, prune. Viewers hear of each as `run.update` or `run.removed`. */
export function libraryRoutes({ liveness, budget, changeLibrary }: LibraryRoutesOptions): Router {
  const router = Router()

  router.patch('/runs/:runId', async (request, response) => {
    const body = await readJson(request, MAX_COMMAND_BYTES, budget)
    const marks = body.ok ? readRunMarks(body.value) : body
    if (!marks.ok) return refuseProblem(response, statusOfBody(marks.problem), marks.problem)
    const marked = await changeLibrary({ type: 'mark', runId: request.params.runId, marks: marks.value })
    if (marked.ok) response.json(runInfoOf(marked.value, liveness))
    else refuseChange(response, marked.problem)
  })

  router.delete('/runs/:runId', async (request, response) => {
    const { runId } = request.params
    const held = liveness.heldCount(runId)
    if (held > 0) {
      const calls = held === 1 ? 'a call that is' : `${held} calls that are`
      return refuseChange(response, { code: 'run-held', message: `Run ${runId} has ${calls} held. Continue or abort first.` })
    }
    const deleted = await changeLibrary({ type: 'delete', runId, forever: request.query['forever'] === 'true' })
    if (deleted.ok) response.json({ runId, ...deleted.value })
    else refuseChange(response, deleted.problem)
  })

  router.post('/runs/:runId/restore', async (request, response) => {
    const restored = await changeLibrary({ type: 'restore', runId: request.params.runId })
    if (restored.ok) response.json(runInfoOf(restored.value, liveness))
    else refuseChange(response, restored.problem)
  })

  router.post('/runs/prune', async (request, response) => {
    const body = await readJson(request, MAX_COMMAND_BYTES, budget)
    const wish = body.ok ? readPruneWish(body.value) : body
    if (!wish.ok) return refuseProblem(response, statusOfBody(wish.problem), wish.problem)
    const pruned = await changeLibrary({ type: 'prune', ...wish.value, held: liveness.heldIds() })
    if (pruned.ok) response.json({ ...pruned.value, dryRun: wish.value.dryRun })
    else refuseChange(response, pruned.problem)
  })
  return router
}

function refuseChange(response: Response, problem: Problem): void {
  const status = STATUS[problem.code] ?? 503
  if (status === 503) response.setHeader('Retry-After', '1')
  refuseProblem(response, status, problem)
}
