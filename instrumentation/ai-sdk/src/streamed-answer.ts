import { isRecord } from './wrap-tools.ts'

/** Longest text that is gathered of one answer; the rest is only streamed. */
const MAX_CHARS = 1024 * 1024

/** Gathers what a streaming model says, in the shape of a generated result. */
export class StreamedAnswer {
  #text = ''
  readonly #toolCalls: unknown[] = []
  #response: Readonly<Record<string, unknown>> = {}
  #end: Readonly<Record<string, unknown>> = {}

  text(piece: string): void {
    if (this.#text.length < MAX_CHARS) this.#text += piece
  }

  /** Any part that is no piece of text. */
  part(part: Readonly<Record<string, unknown>>): void {
    if (part['type'] === 'tool-call') this.#toolCalls.push(part)
    if (part['type'] === 'response-metadata') this.#response = { id: part['id'], modelId: part['modelId'] }
    if (part['type'] === 'finish') this.#end = part
  }

  result(): Readonly<Record<string, unknown>> {
    const text = this.#text === '' ? [] : [{ type: 'text', text: this.#text }]
    const { finishReason, usage } = this.#end
    return { content: [...text, ...this.#toolCalls], finishReason, usage: isRecord(usage) ? usage : undefined, response: this.#response }
  }
}
