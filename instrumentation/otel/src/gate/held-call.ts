import type { ModelEnd, Validate } from '@graphmind-ai/client'
import type { PausePoint, ResumeAction } from '@graphmind-ai/schema'
import { expectAdapter, NOT_ADAPTED } from './adapted.ts'
import { claimed } from './claim.ts'
import type { GateSite } from './gate-site.ts'
import type { GateFacts, Gates } from './gates.ts'
import { isAbort, markHeld, wasHeld } from './held-errors.ts'

/** How a framework wants its call to be answered. */
export interface CallShape<Result> {
  /** What each gate can honour. A point that is absent has no gate: nobody would wait there. */
  readonly actions: Partial<Readonly<Record<PausePoint, readonly ResumeAction[]>>>
  /** The failure that a result stands for, where a framework returns failures instead of throwing them. */
  failureOf?(result: Result): { readonly error: unknown } | undefined
  /** What the call gave, as `exec.paused` shows it; the result itself when absent. */
  outputOf?(result: Result): unknown
  /** How a model's answer ended, where the shape is one of a model call. */
  modelEndOf?(result: Result): ModelEnd | undefined
  /** The result that makes the framework go on with the injected value; `result` is what the call returned, if it ran and returned. */
  inject(output: unknown, result?: Result): Result
  /** How the call takes another input than its caller's; absent where it can't. */
  readonly edit?: CallEdit | undefined
}

export interface CallEdit {
  apply(input: unknown): void
  readonly validate?: Validate | undefined
  /** What is edited, where it is not what the span says of the input. */
  readonly subject?: unknown
}

/** One try of a call. */
export interface Try<Result> extends CallShape<Result> {
  readonly site: GateSite
  run(): Result | PromiseLike<Result>
  /** The call ends without having run: with an injected value, or by an abort. */
  skipped(reason: { readonly injected: true } | { readonly aborted: unknown }): void
  /** The call failed; for frameworks that leave its span open then. */
  failed?(error: unknown): void
}

type Outcome<Result> = { readonly ok: true; readonly value: Result } | { readonly ok: false; readonly error: unknown }
type Verdict = Awaited<ReturnType<Gates['wait']>>
/** What a person wrote in place of the call's input. */
type Edit = { readonly input: unknown } | undefined

/**
 * Runs a call that an adapter further in is expected to hold. Should it turn out to be another of the same name, the gates after it are
 * still ours; before it nobody asked, and its node says so.
 */
export async function holdUnlessAdapted<Result>(gates: Gates, nextTry: (attempt: number) => Try<Result>): Promise<Result> {
  const call = nextTry(1)
  const adapter = expectAdapter(call.site)
  const outcome = await settle(() => adapter.run(() => call.run()))
  if (!adapter.arrived) {
    gates.mark(call.site, { ungated: NOT_ADAPTED })
    return passGates(gates, nextTry, call, { running: outcome.ok ? Promise.resolve(outcome.value) : Promise.reject(outcome.error) })
  }
  if (!outcome.ok) throw outcome.error
  return outcome.value
}

/** Runs a call through its gates: before it, then after it or at its error; a retry is a new try that passes every gate again. */
export function holdCall<Result>(gates: Gates, nextTry: (attempt: number) => Try<Result>): Promise<Result> {
  return passGates(gates, nextTry, nextTry(1))
}

/**
 * The same for a function that may not be async: as long as nothing holds before it, it is called at once, and a plain value or throw goes
 * straight back to the caller.
 */
export function holdUnlessSync<Result>(gates: Gates, nextTry: (attempt: number) => Try<Result>): Result | Promise<Result> {
  const call = nextTry(1)
  const before = ask(gates, 'before', call, undefined, {})
  if (before !== undefined) return passGates(gates, nextTry, call, { before })
  const result = claimed(call.site, () => call.run())
  return isPromiseLike(result) ? passGates(gates, nextTry, call, { running: result }) : result
}

async function passGates<Result>(
  gates: Gates,
  nextTry: (attempt: number) => Try<Result>,
  firstTry: Try<Result>,
  begun: { readonly before?: Promise<Verdict>; readonly running?: PromiseLike<Result> } = {},
): Promise<Result> {
  let edit: Edit
  for (let attempt = 1; ; attempt += 1) {
    const call = attempt === 1 ? firstTry : nextTry(attempt)
    const first = attempt === 1 ? begun : {}
    if (attempt > 1) gates.mark(call.site, { attempt })

    if (first.running === undefined) {
      const before = allowed(call, 'before', await (first.before ?? ask(gates, 'before', call, edit, {})))
      if (before.action === 'abort') {
        call.skipped({ aborted: before.reason })
        throw before.reason
      }
      if (before.action === 'inject') {
        gates.mark(call.site, { injected: true })
        call.skipped({ injected: true })
        return call.inject(before.output)
      }
      edit = editIn(before) ?? edit
    }

    const outcome = await settle(() => first.running ?? start(call, edit))
    if (!outcome.ok) call.failed?.(outcome.error)
    const verdict = await afterwards(gates, call, edit, outcome)
    if (verdict.action === 'retry') {
      edit = editIn(verdict) ?? edit
      continue
    }
    if (verdict.action === 'abort') throw verdict.reason
    if (verdict.action === 'inject') {
      gates.mark(call.site, { injected: true })
      return outcome.ok ? call.inject(verdict.output, outcome.value) : call.inject(verdict.output)
    }
    if (!outcome.ok) throw outcome.error
    return outcome.value
  }
}

function start<Result>(call: Try<Result>, edit: Edit): Result | PromiseLike<Result> {
  if (edit !== undefined) call.edit?.apply(edit.input)
  return claimed(call.site, () => call.run())
}

async function afterwards<Result>(gates: Gates, call: Try<Result>, edit: Edit, outcome: Outcome<Result>): Promise<Verdict> {
  const failure = outcome.ok ? call.failureOf?.(outcome.value) : { error: outcome.error }
  if (failure === undefined) {
    return allowed(call, 'after', await ask(gates, 'after', call, edit, outcome.ok ? factsOf(call, outcome.value) : {}))
  }
  if (isAbort(failure.error) || wasHeld(failure.error)) return CONTINUE
  const held = ask(gates, 'error', call, edit, { error: failure.error })
  if (held !== undefined) markHeld(failure.error)
  return allowed(call, 'error', await held)
}

function ask<Result>(
  gates: Gates,
  point: PausePoint,
  call: Try<Result>,
  edit: Edit,
  facts: Pick<GateFacts, 'output' | 'error' | 'modelEnd'>,
): Promise<Verdict> | undefined {
  const actions = call.actions[point]
  if (actions === undefined) return undefined
  const editable = call.edit !== undefined && (point === 'before' || actions.includes('retry'))
  const subject = call.edit?.subject === undefined ? {} : { input: call.edit.subject }
  const edits = editable ? { editable, validate: call.edit?.validate } : {}
  return gates.ask(point, call.site, { actions, ...subject, ...edit, ...edits, ...facts })
}

const CONTINUE: Verdict = { action: 'continue' }

// In an aborted run every gate says abort, also one whose framework has nobody to catch it.
function allowed<Result>(call: Try<Result>, point: PausePoint, verdict: Verdict | undefined): Verdict {
  return verdict !== undefined && call.actions[point]?.includes(verdict.action) ? verdict : CONTINUE
}

function editIn(verdict: Verdict): Edit {
  return 'input' in verdict ? { input: verdict.input } : undefined
}

function factsOf<Result>(call: Try<Result>, result: Result): Pick<GateFacts, 'output' | 'modelEnd'> {
  return { output: call.outputOf === undefined ? result : call.outputOf(result), modelEnd: () => call.modelEndOf?.(result) }
}

async function settle<Result>(run: () => Result | PromiseLike<Result>): Promise<Outcome<Result>> {
  try {
    return { ok: true, value: await run() }
  } catch (error) {
    return { ok: false, error }
  }
}

function isPromiseLike<Result>(value: Result | PromiseLike<Result>): value is PromiseLike<Result> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}
