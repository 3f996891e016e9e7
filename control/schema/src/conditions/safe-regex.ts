import type { Compiled } from './condition.ts'

const MAX_PATTERN_LENGTH = 512

/** Whether a text holds a match. Takes time linear in the text, whatever the pattern. */
export type TextTest = (text: string) => boolean
export type CompileRegex = (pattern: string, flags?: string) => Compiled<TextTest>

/**
 * Loads the compiler of regular expressions that can't stall the program: RE2 syntax, so no back-references and no look-around.
 * The compiler itself never throws.
 */
export async function loadRegex(): Promise<CompileRegex> {
  const { RE2JS } = await import('re2js')
  return (pattern, flags = '') => {
    if (pattern.length > MAX_PATTERN_LENGTH) return { ok: false, problem: `A pattern may have at most ${MAX_PATTERN_LENGTH} characters.` }
    if (!/^i?$/.test(flags)) return { ok: false, problem: `The only flag of a pattern is i, not “${flags}”.` }
    try {
      const compiled = RE2JS.compile(pattern, flags === 'i' ? RE2JS.CASE_INSENSITIVE : 0)
      return { ok: true, test: (text) => compiled.matcher(text).find() }
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      return {
        ok: false,
        problem: `Can’t use the pattern “${pattern.slice(0, 80)}”: ${why}. Look-around and back-references are not supported.`,
      }
    }
  }
}
