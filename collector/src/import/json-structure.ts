import { Tokenizer, TokenType } from '@streamparser/json'
import { CONTAINER_KEYS, type Frame, type LeafSink } from './leaf.ts'

/** Deeper values are refused; the exporters we know stay below 20. */
export const MAX_DEPTH = 200

/** Text that is not JSON, or is nested too deep. */
export class BadJson extends Error {}

type Built = { [key: string]: unknown } | unknown[]

interface OpenFrame extends Frame {
  readonly fields: { [key: string]: unknown }
  readonly openedAt: number
  closed: boolean
  walked: boolean
}

interface Level {
  readonly isArray: boolean
  readonly name: string | undefined
  /** The value being built here; undefined where the list or object is walked through. */
  readonly built: Built | undefined
  readonly frame: OpenFrame | undefined
  key: string
}

type Expected = 'value' | 'value or ]' | 'key' | 'key or }' | 'colon' | 'comma or end'

/**
 * One run of the tokenizer: checks the grammar, walks through containers and builds the objects inside them. Takes several documents
 * after each other. Throws BadJson, or what the tokenizer throws, at the first error; it can't go on after that.
 */
export class JsonStructure extends Tokenizer {
  readonly #sink: LeafSink
  readonly #stack: Level[] = []
  readonly #tolerant: boolean
  #expected: Expected = 'value'
  #digits = ''
  /** Of the token at hand, in bytes. */
  #offset = 0
  /** Of the line being written; set by the owner. */
  line = 1
  /** Bytes written so far; counted by the owner. */
  written = 0
  /** Where the record being read began, in bytes. */
  recordAt = 0
  tokensOnLine = 0
  /** The line on which the document being read began. */
  documentLine = 1

  /** `tolerant` lets commas and closing brackets between documents pass, after an error has torn them from their beginning. */
  constructor(sink: LeafSink, tolerant: boolean) {
    super({ stringBufferSize: 16 * 1024, numberBufferSize: 32 })
    this.#sink = sink
    this.#tolerant = tolerant
  }

  get inDocument(): boolean {
    return this.#stack.length > 0
  }

  // A double would round long integers, so they are taken from the text.
  protected override parseNumber(text: string): number {
    this.#digits = text
    return Number(text)
  }

  override onError(error: Error): void {
    throw error
  }

  override onToken({ token, value, offset }: Parameters<Tokenizer['onToken']>[0]): void {
    this.tokensOnLine += 1
    this.#offset = offset
    if (token === TokenType.LEFT_BRACE) this.#open(false)
    else if (token === TokenType.LEFT_BRACKET) this.#open(true)
    else if (token === TokenType.RIGHT_BRACE) this.#close(false)
    else if (token === TokenType.RIGHT_BRACKET) this.#close(true)
    else if (token === TokenType.COLON) this.#colon()
    else if (token === TokenType.COMMA) this.#comma()
    else if (token === TokenType.STRING && typeof value === 'string' && this.#expected.startsWith('key')) this.#key(value)
    else if (token === TokenType.NUMBER && /^-?\d{16,}$/.test(this.#digits)) this.#value(BigInt(this.#digits))
    else this.#value(value)
  }

  #open(isArray: boolean): void {
    this.#expectValue()
    const parent = this.#stack.at(-1)
    if (this.#stack.length >= MAX_DEPTH) throw new BadJson(`it is nested deeper than ${MAX_DEPTH} levels`)
    if (parent === undefined) this.#startDocument()
    const name = parent === undefined ? undefined : parent.isArray ? parent.name : parent.key
    if (!isWalked(parent)) {
      const built: Built = isArray ? [] : {}
      attach(parent, built)
      this.#stack.push({ isArray, name, built, frame: undefined, key: '' })
    } else {
      if (parent?.frame !== undefined) parent.frame.walked = true
      this.#stack.push({ isArray, name, built: undefined, frame: isArray ? undefined : this.#frame(name), key: '' })
    }
    this.#expected = isArray ? 'value or ]' : 'key or }'
  }

  #frame(name: string | undefined): OpenFrame {
    const parent = this.#stack.findLast((level) => level.frame !== undefined)?.frame
    this.recordAt = this.#offset
    return { name, fields: {}, parent, closed: false, walked: false, openedAt: this.#offset }
  }

  #startDocument(): void {
    this.documentLine = this.line
    this.recordAt = this.#offset
  }

  #close(isArray: boolean): void {
    const level = this.#stack.at(-1)
    if (level === undefined && this.#tolerant) return
    const closes = this.#expected === 'comma or end' || this.#expected === (isArray ? 'value or ]' : 'key or }')
    if (level === undefined || level.isArray !== isArray || !closes) throw new BadJson(`there is a ${isArray ? ']' : '}'} too early`)
    this.#stack.pop()
    if (level.frame !== undefined) this.#closeFrame(level.frame)
    this.#ended()
  }

  #closeFrame(frame: OpenFrame): void {
    frame.closed = true
    this.recordAt = this.#offset
    if (frame.walked) this.#sink.closed(frame)
    else this.#sink.leaf(frame, this.line, this.#offset - frame.openedAt)
  }

  #ended(): void {
    if (this.#stack.length > 0) {
      this.#expected = 'comma or end'
      return
    }
    this.#expected = 'value'
    this.#sink.document()
  }

  #key(key: string): void {
    const level = this.#stack.at(-1)
    if (level !== undefined) level.key = key
    this.#expected = 'colon'
  }

  #colon(): void {
    if (this.#expected !== 'colon') throw new BadJson('there is a colon too many')
    this.#expected = 'value'
  }

  #comma(): void {
    const level = this.#stack.at(-1)
    if (level === undefined && this.#tolerant) return
    if (level === undefined || this.#expected !== 'comma or end') throw new BadJson('there is a comma too many')
    this.#expected = level.isArray ? 'value' : 'key'
  }

  #value(value: unknown): void {
    this.#expectValue()
    const level = this.#stack.at(-1)
    if (level === undefined || (level.isArray && level.built === undefined)) {
      if (level === undefined) this.#startDocument()
      this.#sink.stray(this.line, level?.name)
    } else attach(level, value)
    this.#ended()
  }

  #expectValue(): void {
    if (!this.#expected.startsWith('value')) throw new BadJson(`a ${this.#expected} is missing`)
  }
}

function isWalked(parent: Level | undefined): boolean {
  if (parent === undefined) return true
  return parent.isArray ? parent.built === undefined : parent.frame !== undefined && CONTAINER_KEYS.has(parent.key)
}

function attach(level: Level | undefined, value: unknown): void {
  const target = level?.built ?? level?.frame?.fields
  if (target === undefined || level === undefined) return
  if (Array.isArray(target)) target.push(value)
  // Assigning to it would change the prototype.
  else if (level.key === '__proto__')
    Object.defineProperty(target, level.key, { value, enumerable: true, configurable: true, writable: true })
  else target[level.key] = value
}
