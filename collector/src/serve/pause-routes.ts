import type { Hub, ResumeAnswer, ResumeRequest } from '@graphmind-ai/hub'
import { isStorableId, type PauseInfo, RESUME_ACTIONS, type ResumeOutcome, type RunInfo } from '@graphmind-ai/schema'
import { type Request, type Response, Router } from 'express'
import type { Kysely } from 'kysely'
import { failed, ok, type Result } from '../problem.ts'
import type { PageMemory } from '../store/pages/page-memory.ts'
import { readInstance } from '../store/reads/instance.ts'
import type { Tables } from '../store/tables.ts'
import type { ByteBudget } from './byte-budget.ts'
import { callerOf } from './caller.ts'
import { readSeq, readText } from './query.ts'
import { readJson, statusOfBody } from './read-json.ts'
import { refuse } from './refuse.ts'
import type { RunFinder } from './run-finder.ts'

const MAX_WAIT_SECONDS = 120
const MAX_WAITING = 16
const DEFAULT_RESUME_MS = 30_000
const MAX_RESUME_MS = 120_000
/** As large as a viewer's frame: an injected value is the same over both. */
const MAX_RESUME_BYTES = 8 * 1024 * 1024

const STATUS: Readonly<Record<ResumeOutcome, number>> = { resumed: 200, timeout: 202, 'no-such-pause': 404, taken: 409, refused: 422 }

export interface PauseRoutesOptions {
  readonly database: Kysely<Tables>
  readonly memory: PageMemory
  readonly find: RunFinder
  readonly debugger: Pick<Hub, 'debugState' | 'breakpoints' | 'pauses' | 'pause' | 'onPauses' | 'watch' | 'resume'>
  readonly onRunUpdate: (listener: (run: RunInfo) => void) => () => void
  /** Bodies that wait are counted on it. */
  readonly budget: ByteBudget
}

/** Held calls and breakpoints over HTTP (design 8), for programs that debug without a viewer. */
export function pauseRoutes(options: PauseRoutesOptions): Router {
  const { debugger: debug, budget } = options
  const router = Router()
  let waiting = 0

  router.get('/breakpoints', (_request, response) => {
    response.json({ ...debug.debugState(), states: debug.breakpoints() })
  })

  router.get('/pauses', async (request, response) => {
    const runId = readText(request.query['runId'])
    const seconds = Math.min(readSeq(request.query['wait']) ?? 0, MAX_WAIT_SECONDS)
    if (seconds > 0 && pausesOf(options, runId).length === 0) {
      if (waiting >= MAX_WAITING) {
        response.setHeader('Retry-After', '5')
        return refuse(response, 429, `${MAX_WAITING} requests wait for held calls already. Ask again later, or without wait.`)
      }
      waiting += 1
      await somethingHeld(options, runId, seconds * 1000, response).finally(() => {
        waiting -= 1
      })
    }
    response.json({ pauses: pausesOf(options, runId) })
  })

  router.get('/runs/:runId/pauses/:pauseId', async (request, response) => {
    const { runId, pauseId } = request.params
    const pause = debug.pause(runId, pauseId)
    if (pause === undefined) return refuse(response, 404, `Run ${runId} holds no call ${pauseId}. It may have gone on already.`)
    response.json({ pause, ...(await recordedOf(options, pause)) })
  })

  router
    .route('/runs/:runId/pauses/:pauseId/resume')
    .post(async (request, response) => {
      const { runId, pauseId } = request.params
      const wish = await readResume(request, budget)
      if (!wish.ok) return refuse(response, statusOfBody(wish.problem), wish.problem.message)
      const answer = await debug.resume({ ...wish.value, runId, pauseId, ...callerOf(response) })
      response.status(statusOf(answer)).json(answerBody(runId, pauseId, wish.value.requestId, answer))
    })
    .all((request, response) => {
      response.setHeader('Allow', 'POST')
      refuse(response, 405, `A call is released by POST, not ${request.method}.`)
    })
  return router
}

/** Refused because of who asks, or because of what was asked. */
function statusOf({ outcome, code }: ResumeAnswer): number {
  return code === 'forbidden' || code === 'edit-refused' ? 403 : STATUS[outcome]
}

function pausesOf({ debugger: debug }: PauseRoutesOptions, runId: string | undefined): readonly PauseInfo[] {
  return debug.pauses().filter((pause) => runId === undefined || pause.runId === runId)
}

/** Resolves when a call of the run is held, the run is over, the time is, or nobody waits any more. */
async function somethingHeld(options: PauseRoutesOptions, runId: string | undefined, waitMs: number, response: Response): Promise<void> {
  const { find, debugger: debug, onRunUpdate } = options
  let stop: () => void = () => undefined
  const stops: (() => void)[] = [debug.watch()]
  const waited = new Promise<void>((resolve) => {
    stop = resolve
    const timer = setTimeout(resolve, waitMs)
    response.on('close', resolve)
    stops.push(
      () => clearTimeout(timer),
      () => response.off('close', resolve),
      debug.onPauses(() => pausesOf(options, runId).length > 0 && resolve()),
      onRunUpdate((run) => run.id === runId && run.status !== 'running' && resolve()),
    )
  })
  // Looked at after listening, so that an end in between is not missed.
  const run = runId === undefined ? undefined : await find(runId)
  if (run !== undefined && run.status !== 'running') stop()
  await waited
  for (const end of stops) end()
}

/** What the record knows of the held call that its own announcement did not say. */
async function recordedOf(
  { database, memory, find }: PauseRoutesOptions,
  { runId, payload }: PauseInfo,
): Promise<{ input: unknown; error: unknown }> {
  const { input, error, instanceId } = payload
  const run = await find(runId)
  const instance = run === undefined || typeof instanceId !== 'string' ? undefined : await readInstance(database, run, instanceId, memory)
  return { input: input ?? instance?.input ?? null, error: error ?? instance?.errors.at(-1) ?? null }
}

type Wish = Pick<ResumeRequest, 'action' | 'output' | 'input' | 'requestId' | 'operator' | 'waitMs'>

async function readResume(request: Request, budget: ByteBudget): Promise<Result<Wish>> {
  const body = await readJson(request, MAX_RESUME_BYTES, budget)
  return body.ok ? readWish(body.value) : body
}

function readWish(value: unknown): Result<Wish> {
  const bad = (message: string) => failed('bad-command', message)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return bad('The command must be a JSON object.')
  const { action, output, input, requestId, operator, timeoutMs } = value as { readonly [key: string]: unknown }
  const known = RESUME_ACTIONS.find((name) => name === action)
  if (known === undefined) return bad(`action must be one of ${RESUME_ACTIONS.join(', ')}.`)
  if (requestId !== undefined && !(typeof requestId === 'string' && isStorableId(requestId))) return bad('requestId must be a short text.')
  if (timeoutMs !== undefined && !(typeof timeoutMs === 'number' && timeoutMs >= 0))
    return bad('timeoutMs must be a number of milliseconds.')
  return ok({ action: known, output, input, requestId, operator, waitMs: Math.min(timeoutMs ?? DEFAULT_RESUME_MS, MAX_RESUME_MS) })
}

function answerBody(runId: string, pauseId: string, requestId: string | undefined, answer: ResumeAnswer) {
  return { runId, pauseId, ...(requestId === undefined ? {} : { requestId }), ...answer }
}
