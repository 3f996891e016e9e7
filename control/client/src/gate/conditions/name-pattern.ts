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

/** Goes back only to the last `*`, so the time is bounded by the product of both lengths. */
function matchesGlob(glob: readonly string[], name: readonly string[]): boolean {
  let at = 0
  let inGlob = 0
  let star = -1
  let starAt = 0
  while (at < name.length) {
    if (glob[inGlob] === '*') {
      star = inGlob
      starAt = at
      inGlob += 1
    } else if (inGlob < glob.length && (glob[inGlob] === '?' || glob[inGlob] === name[at])) {
      inGlob += 1
      at += 1
    } else if (star >= 0) {
      starAt += 1
      at = starAt
      inGlob = star + 1
    } else {
      return false
    }
  }
  while (glob[inGlob] === '*') inGlob += 1
  return inGlob === glob.length
}
