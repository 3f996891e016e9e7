export interface Trace {
  readonly traceId: string
  readonly spans: object[]
}
export function manySpans(
  calls: number,
  options?: { readonly fan?: number; readonly name?: string; readonly startMs?: number; readonly nodes?: number },
): Trace
export function postSpans(url: string, spans: readonly object[]): Promise<void>
