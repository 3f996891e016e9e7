import { REDACTED } from '@graphmind-ai/schema'

/** Keys whose values are secrets, as the parts a key is made of: `x-api-key`, `apiKey` and `OPENAI_API_KEY` all have `api key` in them. */
const SECRET_KEYS: readonly (readonly string[])[] = [
  ['authorization'],
  ['cookie'],
  ['set', 'cookie'],
  ['api', 'key'],
  ['apikey'],
  ['password'],
  ['passwd'],
  ['secret'],
  ['client', 'secret'],
  ['private', 'key'],
  ['access', 'token'],
  ['refresh', 'token'],
  ['token'],
  ['bearer'],
]

// `llm.token_count.prompt` counts tokens of text, and `firstTokenMs` tells when the first came.
const COUNTS = new Set(['count', 'counts', 'usage', 'details', 'limit', 'type'])

/** Nothing without one of these is parsed: most payloads have none. */
const HINT = /authorization|cookie|api[^a-z0-9]*key|passw|secret|private[^a-z0-9]*key|token|bearer|fingerprint/i

/** True for a key that is one of the secret ones, or has one as a part between `_`, `-`, dots or capitals. */
export function isSecretKey(key: string): boolean {
  const parts = (key.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g) ?? []).map((part) => part.toLowerCase())
  return SECRET_KEYS.some((secret) =>
    parts.some((_, at) => secret.every((part, offset) => parts[at + offset] === part) && !isOfText(parts, at)),
  )
}

/** Whether the token at this place is a piece of text. */
function isOfText(parts: readonly string[], at: number): boolean {
  return parts[at] === 'token' && (parts[at - 1] === 'first' || COUNTS.has(parts[at + 1] ?? ''))
}

/** Puts the placeholder in place of every value under a secret key, and remembers under which. Values under other keys pass as they are. */
export class SecretMask {
  readonly #counts = new Map<string, number>()
  /** Counts the loop fingerprints too, which have no secret key. */
  #total = 0

  /** How many values were replaced, by key. */
  get counts(): ReadonlyMap<string, number> {
    return this.#counts
  }

  /** Counts a value that was replaced elsewhere. */
  replaced(key: string): void {
    this.#total += 1
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1)
  }

  /** JSON text, the very same when nothing in it is secret. */
  json(text: string): string {
    if (!HINT.test(text)) return text
    const before = this.#total
    const value = this.#value(JSON.parse(text))
    return this.#total === before ? text : JSON.stringify(value)
  }

  #value(value: unknown): unknown {
    if (typeof value === 'string') return this.#text(value)
    if (Array.isArray(value)) return value.map((entry) => this.#value(entry))
    if (typeof value !== 'object' || value === null) return value
    const fields = value as { readonly [key: string]: unknown }
    // An OTLP attribute names its key beside the value.
    const { key, value: attribute } = fields
    if (typeof key === 'string' && attribute !== undefined && isSecretKey(key)) {
      this.replaced(key)
      return { ...fields, value: { stringValue: REDACTED } }
    }
    return Object.fromEntries(Object.entries(fields).map(([name, entry]) => [name, this.#entry(name, entry)]))
  }

  #entry(name: string, value: unknown): unknown {
    if (isSecretKey(name)) {
      this.replaced(name)
      return REDACTED
    }
    // The fingerprint of repeated arguments lets someone who guesses them make sure.
    if (name === 'loop' && typeof value === 'object' && value !== null && 'fingerprint' in value) {
      this.#total += 1
      return { ...value, fingerprint: REDACTED }
    }
    return this.#value(value)
  }

  /** Arguments and messages often stand as JSON text inside a value. */
  #text(text: string): string {
    if (!/^\s*[[{]/.test(text) || !HINT.test(text)) return text
    try {
      return this.json(text)
    } catch {
      // It only looked like JSON: a text has no keys.
      return text
    }
  }
}
