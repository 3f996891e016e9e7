import { SecretMask } from '../../export/secrets.ts'
import { failed, ok, type Result } from '../../problem.ts'

/** A tenth of what a model reads at once: enough to judge a value by. */
export const PREVIEW_CHARACTERS = 4000
export const MAX_RANGE_CHARACTERS = 20_000

export interface Preview {
  readonly text: string
  /** Of the whole value as JSON. */
  readonly characters: number
  /** Said only when there is more. */
  readonly more?: string
}

/** The beginning of a value as JSON, secrets masked; undefined for a value that was not recorded. */
export function preview(value: unknown, more: string): Preview | undefined {
  if (value === undefined || value === null) return undefined
  const text = maskedJson(value)
  const characters = text.length
  return characters <= PREVIEW_CHARACTERS ? { text, characters } : { text: cut(text, 0, PREVIEW_CHARACTERS), characters, more }
}

export interface Range {
  /** A JSON pointer (RFC 6901), the whole value when empty. */
  readonly path: string
  readonly offset: number
  readonly length: number
}

/** A part of a value: of a text its characters, of anything else those of its JSON. */
export function valueAt(
  value: unknown,
  { path, offset, length }: Range,
): Result<{ readonly text: string; readonly characters: number; readonly nextOffset?: number }> {
  // Masked before it is cut, so that a path into a secret finds nothing.
  const found = follow(JSON.parse(maskedJson(value)), path)
  if (!found.ok) return found
  const whole = typeof found.value === 'string' ? found.value : JSON.stringify(found.value)
  const text = cut(whole, offset, Math.min(length, MAX_RANGE_CHARACTERS))
  const next = offset + text.length
  return ok({ text, characters: whole.length, ...(next < whole.length ? { nextOffset: next } : {}) })
}

function follow(value: unknown, path: string): Result<unknown> {
  if (path !== '' && !path.startsWith('/')) return failed('path', `A path is a JSON pointer like /messages/0/content, not "${path}".`)
  let at = value
  for (const step of path.split('/').slice(1)) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) {
      const keys = typeof at === 'object' && at !== null ? Object.keys(at).slice(0, 20).join(', ') : ''
      return failed(
        'path',
        `There is nothing at "${key}" of ${path}.${keys === '' ? ' The value above has no parts.' : ` There is: ${keys}.`}`,
      )
    }
    at = (at as { readonly [key: string]: unknown })[key]
  }
  return ok(at)
}

/** What leaves for a model provider is masked like an export. */
function maskedJson(value: unknown): string {
  return new SecretMask().json(JSON.stringify(value) ?? 'null')
}

/** Never half of a surrogate pair. */
function cut(text: string, offset: number, length: number): string {
  return text.slice(offset, offset + length).toWellFormed()
}
