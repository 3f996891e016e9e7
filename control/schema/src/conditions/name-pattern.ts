import { matchesGlob } from '../query/glob.ts'
import type { Compiled } from './condition.ts'
import { loadRegex, type TextTest } from './safe-regex.ts'

const MAX_GLOB_LENGTH = 512
const REGEX = /^\/(.+)\/([a-z]*)$/s

/** Reads a name pattern: a regular expression between slashes (`/^db_/i`), or a glob where `*` is any text and `?` any character. */
export function compileNamePattern(pattern: string): Compiled<TextTest> | Promise<Compiled<TextTest>> {
  const [, source, flags] = REGEX.exec(pattern) ?? []
  if (source !== undefined) return loadRegex().then((compile) => compile(source, flags))
  if (pattern.length > MAX_GLOB_LENGTH) return { ok: false, problem: `A name pattern may have at most ${MAX_GLOB_LENGTH} characters.` }
  return { ok: true, test: (name) => matchesGlob([...pattern], [...name]) }
}
