export interface Trace {
  readonly traceId: string
  readonly spans: object[]
}
export interface ManySpansOptions {
  /** How many like calls stand side by side in each tenth round. */
  readonly fan?: number
  readonly name?: string
  /** Times as long as the bench’s own run. */
  readonly pace?: number
  readonly startMs?: number
  readonly model?: string
  readonly tools?: readonly string[]
  /** What calls that fail say. */
  readonly failure?: string
}
export function manySpans(calls: number, options?: ManySpansOptions): Trace
export function postSpans(url: string, spans: readonly object[], service?: string): Promise<void>
