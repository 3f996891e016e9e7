import type { PausePoint, ResumeAction } from '@graphmind-ai/schema'
import { claimed } from './claim.ts'
import type { GateSite } from './gate-site.ts'
import type { Gates } from './gates.ts'
import { isAbort, isNews } from './held-errors.ts'

/** How a framework wants its call to be answered. */
export interface CallShape<Result> {
  /** What each gate can honour. A point that is absent has no gate: nobody would wait there. */
  readonly actions: Partial<Readonly<Record<PausePoint, readonly ResumeAction[]>>>
  /** The failure that a result stands for, where a framework returns failures instead of throwing them. */
  failureOf?(result: Result): { readonly error: unknown } | undefined
  /** What the call gave, as `exec.paused` shows it; the result itself when absent. */
  outputOf?(result: Result): unknown
  /** The result that makes the framework go on with the injected value; `result` is what the call returned, if it ran and returned. */
  inject(output: unknown, result?: Result): Result
}

/** One try of a call. */
export interface Try<Result> extends CallShape<Result> {
  readonly site: GateSite
  run(): PromiseLike<Result>
  /** The call ends without having run: with an injected value, or by an abort. */
  skipped(reason: { readonly injected: true } | { readonly aborted: unknown }): void
}

type Outcome<Result> = { readonly ok: true; readonly value: Result } | { readonly ok: false; readonly error: unknown }
type Verdict = Awaited<ReturnType<Gates['wait']>>

/** Runs a call through its gates: before it, then after it or at its error; a retry is a new try that passes every gate again. */
export async function holdCall<Result>(gates: Gates, nextTry: (attempt: number) => Try<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    const call = nextTry(attempt)
    if (attempt > 1) gates.mark(call.site, { attempt })

    const before = await reach(gates, 'before', call, {})
    if (before.action === 'abort') {
      call.skipped({ aborted: before.reason })
      throw before.reason
    }
    if (before.action === 'inject') {
      gates.mark(call.site, { injected: true })
      call.skipped({ injected: true })
      return call.inject(before.output)
    }

    const outcome = await settle(() => claimed(call.site, () => call.run()))
    const verdict = await afterwards(gates, call, outcome)
    if (verdict.action === 'retry') continue
    if (verdict.action === 'abort') throw verdict.reason
    if (verdict.action === 'inject') {
      gates.mark(call.site, { injected: true })
      return outcome.ok ? call.inject(verdict.output, outcome.value) : call.inject(verdict.output)
    }
    if (!outcome.ok) throw outcome.error
    return outcome.value
  }
}

async function afterwards<Result>(gates: Gates, call: Try<Result>, outcome: Outcome<Result>): Promise<Verdict> {
  const failure = outcome.ok ? call.failureOf?.(outcome.value) : { error: outcome.error }
  if (failure === undefined) return await reach(gates, 'after', call, { output: outcome.ok ? outputOf(call, outcome.value) : undefined })
  if (isAbort(failure.error) || !isNews(failure.error)) return { action: 'continue' }
  return await reach(gates, 'error', call, { error: failure.error })
}

async function reach<Result>(
  gates: Gates,
  point: PausePoint,
  call: Try<Result>,
  facts: { readonly output?: unknown; readonly error?: unknown },
): Promise<Verdict> {
  const actions = call.actions[point]
  if (actions === undefined) return { action: 'continue' }
  const verdict = await gates.wait(point, call.site, { actions, ...facts })
  // In an aborted run every gate says abort, also one whose framework has nobody to catch it.
  return actions.includes(verdict.action) ? verdict : { action: 'continue' }
}

function outputOf<Result>(call: Try<Result>, result: Result): unknown {
  return call.outputOf === undefined ? result : call.outputOf(result)
}

async function settle<Result>(run: () => PromiseLike<Result>): Promise<Outcome<Result>> {
  try {
    return { ok: true, value: await run() }
  } catch (error) {
    return { ok: false, error }
  }
}
