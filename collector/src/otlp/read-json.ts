import { failed, ok, type Result } from '../problem.ts'

const LONG_NUMBER = /[:[,\s]-?\d{16,}/
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g
const WHOLE_NUMBER = /^-?[1-9]\d*$/
const NAME_END = /\s*:/y

/** The refusal of a body that does not parse. */
export const NOT_JSON = failed('json', 'The body is not valid JSON. Send one OTLP/JSON export request, whole and in UTF-8.')

/** Parses JSON text; whole numbers that a double would round come out as decimal text, which OTLP/JSON allows everywhere a number may stand. */
export function readJson(text: string): Result<unknown> {
  try {
    return ok(JSON.parse(LONG_NUMBER.test(text) ? quoteLongNumbers(text) : text))
  } catch {
    return NOT_JSON
  }
}

/** Puts quotes around whole numbers of 16 digits and more that stand outside strings. */
function quoteLongNumbers(text: string): string {
  let out = ''
  let at = 0
  while (at < text.length) {
    const open = text.indexOf('"', at)
    const outside = text.slice(at, open < 0 ? text.length : open)
    out += outside.replace(NUMBER, (number: string, index: number) => (isLongNumber(number, outside, index) ? `"${number}"` : number))
    if (open < 0) break
    const close = endOfString(text, open)
    out += text.slice(open, close)
    at = close
  }
  return out
}

/** What JSON has no place for, zeros in front or a number as a name, must not become text that it has one for. */
function isLongNumber(number: string, text: string, index: number): boolean {
  if (number.length < 16 || !WHOLE_NUMBER.test(number)) return false
  NAME_END.lastIndex = index + number.length
  return !NAME_END.test(text)
}

/** The index behind the string that opens at `open`. */
function endOfString(text: string, open: number): number {
  for (let at = text.indexOf('"', open + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let slashes = 0
    while (text[at - 1 - slashes] === '\\') slashes++
    if (slashes % 2 === 0) return at + 1
  }
  return text.length
}
