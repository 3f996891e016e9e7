import { REDACTED } from '@graphmind-ai/schema'

/** Fields of an instance that are searched; a field's number is what the store keeps, so new ones go to the end. */
export const SEARCH_FIELDS = ['name', 'input', 'output', 'error'] as const
export type SearchField = (typeof SEARCH_FIELDS)[number]

// Room for fields to come.
export const FIELDS_AN_INSTANCE = 8

/** The row of the index that has a field's words. */
export function wordsRow(instance: number, field: SearchField): number {
  return instance * FIELDS_AN_INSTANCE + SEARCH_FIELDS.indexOf(field)
}

/** A text inside a payload, and where: `messages[2].content`, or empty for the payload itself. */
export interface TextLeaf {
  readonly path: string
  readonly text: string
}

/** What of one field is searched: the first 256 K characters. More is read by eye, not found by word. */
export const MAX_SEARCHED_CHARACTERS = 256 * 1024
// Base64, hashes and the like: nobody looks for words in them, and each would be a word of its own.
const MAX_WORD_LENGTH = 200

/** The searched fields of an event, with their values. */
export function searchedFields(type: string, payload: { readonly [name: string]: unknown }): readonly (readonly [SearchField, unknown])[] {
  const fields: (readonly [SearchField, unknown])[] = []
  if (type === 'node.started') {
    const { name, nodeId, model } = payload
    fields.push(['name', { name, nodeId, model }])
  }
  if (type === 'node.started' || type === 'node.finished') {
    if (payload['input'] !== undefined) fields.push(['input', payload['input']])
    if (payload['output'] !== undefined) fields.push(['output', payload['output']])
  }
  if (type === 'node.error' && payload['error'] !== undefined) fields.push(['error', payload['error']])
  return fields
}

/** The texts in a JSON value in the order in which they stand, up to the searched length together. What was redacted is no text. */
export function* textLeaves(value: unknown): Generator<TextLeaf> {
  let left = MAX_SEARCHED_CHARACTERS
  // A list of our own, so that depth costs no stack.
  const waiting: { readonly path: string; readonly value: unknown }[] = [{ path: '', value }]
  for (let next = waiting.pop(); next !== undefined && left > 0; next = waiting.pop()) {
    const { path, value: found } = next
    if (typeof found === 'string' || typeof found === 'number') {
      const text = String(found).slice(0, left)
      left -= text.length
      if (text !== '' && text !== REDACTED) yield { path, text }
    } else if (Array.isArray(found)) {
      for (let index = found.length - 1; index >= 0; index--) waiting.push({ path: `${path}[${index}]`, value: found[index] })
    } else if (typeof found === 'object' && found !== null) {
      for (const [key, inside] of Object.entries(found).reverse()) waiting.push({ path: pathTo(path, key), value: inside })
    }
  }
}

function pathTo(path: string, key: string): string {
  if (!/^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(key)) return `${path}[${JSON.stringify(key)}]`
  return path === '' ? key : `${path}.${key}`
}

/** A value's words as the index takes them. */
export function indexedText(value: unknown): string {
  const texts: string[] = []
  for (const { text } of textLeaves(value)) texts.push(text)
  return spaced(texts.join('\n').replace(LONG_WORD, ' '))
}

const LONG_WORD = new RegExp(`[^\\s]{${MAX_WORD_LENGTH + 1},}`, 'g')
const NO_WORD = /[^\p{L}\p{N}\p{M}]+/gu
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu

/**
 * Text as words of letters and digits in lower case, parted by spaces; scripts without spaces letter by letter. Done here and not by the
 * index's tokenizer, whose letters are those of an older Unicode: words of the text and words of a query have to be cut alike.
 */
export function spaced(text: string): string {
  return text.normalize('NFC').toLowerCase().replace(NO_WORD, ' ').replace(UNSPACED, ' $& ')
}
