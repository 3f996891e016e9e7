import { cleanMessage } from '@graphmind-ai/schema/conditions'
import type { CheckResult } from './state.ts'

/** How long a caller's `validate` may think about an edit before it is refused. */
export const EDIT_CHECK_MS = 4000

/** The top-level keys that a person changed, or `all` when the edit is the whole input. */
export type EditedKeys = readonly string[] | 'all'
/** The caller's own check of a whole edited input; `value` is what the call will get. */
export type Validate = (input: unknown, edited: EditedKeys) => Validation | Promise<Validation>
export type Validation = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly message: string }

/**
 * Puts the top-level keys of an edit over the live input; new keys go after. With `replaceWhole` (hidden inputs: the person never saw
 * the rest), or when the live input is no plain object, the edit is the whole new input.
 */
export function mergeEdit(live: unknown, edit: unknown, replaceWhole: boolean): MergedEdit | Refused {
  if (!isPlainObject(edit)) return { ok: false, code: 'shape', message: 'An edited input must be an object.' }
  if (holdsPrototypeKey(edit)) return { ok: false, code: 'shape', message: 'An edited input must not name a prototype.' }
  if (replaceWhole || !isPlainObject(live)) return { ok: true, value: edit, edited: 'all' }
  return { ok: true, value: { ...live, ...edit }, edited: Object.keys(edit) }
}

type Refused = Extract<CheckResult, { ok: false }>
export interface MergedEdit {
  readonly ok: true
  readonly value: unknown
  readonly edited: EditedKeys
}

/** Asks the caller's check, within `limitMs`. A check that throws or is too slow refuses. Never rejects. */
export async function validateEdit({ value, edited }: MergedEdit, validate: Validate, limitMs: number): Promise<CheckResult> {
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<Validation>((resolve) => {
    timer = setTimeout(() => resolve({ ok: false, message: `The check took longer than ${limitMs} ms.` }), limitMs)
  })
  try {
    const validation = await Promise.race([Promise.resolve(value).then((input) => validate(input, edited)), tooLate])
    if (validation.ok) return validation
    return { ok: false, code: 'schema', message: cleanMessage(validation.message) }
  } catch {
    // What the check threw may quote the value, so it stays here.
    return { ok: false, code: 'schema', message: 'The check of the edited input failed.' }
  } finally {
    clearTimeout(timer)
  }
}

function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype
}

function holdsPrototypeKey(value: unknown): boolean {
  const left: unknown[] = [value]
  while (left.length > 0) {
    const next = left.pop()
    if (typeof next !== 'object' || next === null) continue
    if (Object.hasOwn(next, '__proto__')) return true
    for (const [key, child] of Object.entries(next)) {
      if (key === 'constructor' && typeof child === 'object' && child !== null && Object.hasOwn(child, 'prototype')) return true
      left.push(child)
    }
  }
  return false
}
