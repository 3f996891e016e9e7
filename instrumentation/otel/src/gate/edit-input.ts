import type { Validate } from '@graphmind-ai/client'
import { dropOldest } from '../drop-oldest.ts'

/** Edits that nobody fetched: their call was called off in between. */
const MAX_WAITING = 100

/** Inputs that a person edited, on their way from the gate to the place where a framework can still take them; by span id. */
export class EditedInputs {
  readonly #inputs = new Map<string, unknown>()

  put(spanId: string, input: unknown): void {
    this.#inputs.set(spanId, input)
    dropOldest(this.#inputs, MAX_WAITING)
  }

  /** The edited input of a call, once. */
  take(spanId: string): { readonly input: unknown } | undefined {
    if (!this.#inputs.has(spanId)) return undefined
    const input = this.#inputs.get(spanId)
    this.#inputs.delete(spanId)
    return { input }
  }
}

/** True for an input whose caller sees what is changed in it: frameworks keep a reference to it and give nothing else away. */
export function isReplaceable(input: unknown): input is Record<string, unknown> {
  return typeof input === 'object' && input !== null && !Array.isArray(input) && !Object.isFrozen(input)
}

/** Makes `input` equal to `edited`, in place. */
export function replaceContents(input: unknown, edited: unknown): void {
  if (!isReplaceable(input) || typeof edited !== 'object' || edited === null) return
  for (const key of Object.keys(input)) if (!Object.hasOwn(edited, key)) delete input[key]
  Object.assign(input, edited)
}

/** The check that a tool's own schema makes; undefined when the tool has none that can check. */
export function checkAgainst(schema: unknown): Validate | undefined {
  const subject: unknown = typeof schema === 'function' && !('~standard' in schema) ? lazily(schema) : schema
  if ((typeof subject !== 'object' && typeof subject !== 'function') || subject === null) return undefined
  // Asked first, because some libraries have a `validate` of their own beside it.
  const standard: unknown = '~standard' in subject ? subject['~standard'] : undefined
  if (hasValidate(standard)) return checkWithStandard(standard.validate.bind(standard))
  return hasValidate(subject) ? checkWithAiSchema(subject.validate.bind(subject)) : undefined
}

function hasValidate(value: unknown): value is { validate: Check } {
  return typeof value === 'object' && value !== null && 'validate' in value && typeof value.validate === 'function'
}

type Check = (value: unknown) => unknown

/** `{success, value | error}`, as the AI SDK's own schemas answer. */
function checkWithAiSchema(validate: Check): Validate {
  return async (input) => {
    const result: unknown = await validate(input)
    if (typeof result !== 'object' || result === null || !('success' in result)) return { ok: true, value: input }
    if (result.success === true) return { ok: true, value: 'value' in result ? result.value : input }
    return {
      ok: false,
      message: 'error' in result && result.error instanceof Error ? result.error.message : 'The tool’s schema refused it.',
    }
  }
}

/** `{value}` or `{issues}`, as Standard Schema has it (zod, valibot, arktype). */
function checkWithStandard(validate: Check): Validate {
  return async (input) => {
    const result: unknown = await validate(input)
    if (typeof result !== 'object' || result === null) return { ok: true, value: input }
    if (!('issues' in result) || !Array.isArray(result.issues)) return { ok: true, value: 'value' in result ? result.value : input }
    return { ok: false, message: result.issues.map(describeIssue).join('; ') || 'The tool’s schema refused it.' }
  }
}

function describeIssue(issue: unknown): string {
  if (typeof issue !== 'object' || issue === null || !('message' in issue)) return ''
  const path = 'path' in issue && Array.isArray(issue.path) ? issue.path.map(keyOf).join('.') : ''
  return path === '' ? String(issue.message) : `${path}: ${issue.message}`
}

function keyOf(segment: unknown): string {
  return String(typeof segment === 'object' && segment !== null && 'key' in segment ? segment.key : segment)
}

function lazily(make: CallableFunction): unknown {
  try {
    const made: unknown = make()
    return made
  } catch {
    return undefined // No lazy schema, but some other function; then nothing checks.
  }
}
