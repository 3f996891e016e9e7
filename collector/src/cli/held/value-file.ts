import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Longer values are not printed: they would bury the commands that follow. */
export const MAX_PRINTED_BYTES = 2048

/** The value to print, or, when its JSON is too long for that, the file that only this user can read and that now has it. */
export type ShownValue = { readonly value: unknown } | { readonly file: string }

export function shownValue(name: string, value: unknown): ShownValue {
  const text = JSON.stringify(value, undefined, 2) ?? 'null'
  if (Buffer.byteLength(text) <= MAX_PRINTED_BYTES) return { value }
  const file = join(mkdtempSync(join(tmpdir(), 'graphmind-held-')), `${name}.json`)
  writeFileSync(file, text, { mode: 0o600 })
  return { file }
}
