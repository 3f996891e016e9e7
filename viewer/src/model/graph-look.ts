import type { Direction } from './layout.ts'

/** How the graph is shown; what is undefined is left to what is remembered, or to what suits the run. */
export interface GraphLook {
  readonly direction: Direction
  /** A node once for each way it is called. */
  readonly paths: boolean
  /** Arrows for what followed what. */
  readonly order: boolean
  /** Only what was reached, without what hints tell of. */
  readonly reached: boolean
  /** Only what failed and its callers stand out. */
  readonly errors: boolean
  readonly list: boolean
}

type Choice = { readonly [Key in keyof GraphLook]: { readonly key: Key; readonly value: GraphLook[Key] } }[keyof GraphLook]

/** What each word of an address means. */
const WORDS: Readonly<Record<string, Choice>> = {
  right: { key: 'direction', value: 'right' },
  down: { key: 'direction', value: 'down' },
  paths: { key: 'paths', value: true },
  nodes: { key: 'paths', value: false },
  order: { key: 'order', value: true },
  unordered: { key: 'order', value: false },
  reached: { key: 'reached', value: true },
  hints: { key: 'reached', value: false },
  errors: { key: 'errors', value: true },
  all: { key: 'errors', value: false },
  list: { key: 'list', value: true },
  drawn: { key: 'list', value: false },
}

/** Reads words such as `down.order`; a word it doesn't know says nothing. */
export function readLook(text: string): Partial<GraphLook> {
  const choices = text.split('.').flatMap((word) => (Object.hasOwn(WORDS, word) ? (WORDS[word] ?? []) : []))
  return Object.fromEntries(choices.map(({ key, value }) => [key, value]))
}

/** The words for a look, undefined when it says nothing. */
export function lookWords(look: Partial<GraphLook>): string | undefined {
  const words = Object.entries(WORDS).flatMap(([word, { key, value }]) => (look[key] === value ? [word] : []))
  return words.length === 0 ? undefined : words.join('.')
}
