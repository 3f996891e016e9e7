import { asObject, asText } from './guards.ts'
import { fetchApi } from './token.ts'

/** What the server answered, or in words why it didn't. */
export type Answer<Value> = { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly problem: string }

/** Asks this server's HTTP API for JSON. Never throws. */
export async function askApi(path: string, init: RequestInit = {}): Promise<Answer<unknown>> {
  try {
    const answer = await fetchApi(path, init)
    const value: unknown = await answer.json()
    if (answer.ok) return { ok: true, value }
    return { ok: false, problem: asText(asObject(value)?.['error']) ?? `The collector answered with ${answer.status}. Try again.` }
  } catch (error) {
    return {
      ok: false,
      problem:
        error instanceof SyntaxError
          ? 'The collector sent an answer that is no JSON. Reload the page.'
          : 'The collector can’t be reached. Try again when it is back.',
    }
  }
}

/** The answer as this reader understands it; what it can't read is a problem. */
export function readAnswer<Value>(answer: Answer<unknown>, read: (value: unknown) => Value | undefined): Answer<Value> {
  if (!answer.ok) return answer
  const value = read(answer.value)
  return value === undefined
    ? { ok: false, problem: 'The collector sent an answer that this page can’t read. Reload the page.' }
    : { ok: true, value }
}
