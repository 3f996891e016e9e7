import { type ExpectedHttp, type ExpectedImport, isOneOf } from './expectation.ts'

export interface SeenAnswer {
  readonly status: number
  /** Content type without parameters. */
  readonly type: string
  readonly body: string
}

export interface SeenImport {
  readonly result: 'ok' | 'partial' | 'rejected'
  readonly skippedLines: readonly (number | null)[]
  /** What the user reads. */
  readonly text: string
}

const RUNTIME_ERROR = /TypeError|RangeError|SyntaxError|\bat .*\.(js|ts):\d+/

/** What is wrong with an answer to an OTLP request; empty when it is as expected. */
export function compareHttp(want: ExpectedHttp, answer: SeenAnswer): readonly string[] {
  if (want.alternatives !== undefined) {
    const tries = want.alternatives.map((alternative) => compareHttp(alternative, answer))
    return tries.find((faults) => faults.length === 0) ?? tries[0] ?? []
  }
  const body = jsonOf(answer.body)
  const partial = body?.partialSuccess
  const hasReason = body === undefined ? answer.body.length > 2 : [partial?.errorMessage, body.message, body.error].some(Boolean)
  return [
    ...(isOneOf(want.status, answer.status) ? [] : [`status ${answer.status}, not ${JSON.stringify(want.status)}`]),
    ...(isOneOf(want.responseType, answer.type) ? [] : [`type ${answer.type}`]),
    ...(isOneOf(want.rejectedSpans, Number(partial?.rejectedSpans ?? 0)) ? [] : [`rejected ${partial?.rejectedSpans}`]),
    ...(want.errorNotEmpty !== true || hasReason ? [] : ['no reason given']),
    ...(RUNTIME_ERROR.test(answer.body) ? ['a raw runtime error in the answer'] : []),
  ]
}

/** What is wrong with the outcome of an import. */
export function compareImport(want: ExpectedImport, seen: SeenImport): readonly string[] {
  const { skippedLines = [], errorMustNotContain = [], errorContainsAny } = want
  const text = seen.text.toLowerCase()
  return [
    ...(isOneOf(want.result, seen.result) ? [] : [`import ${seen.result}, not ${JSON.stringify(want.result)}: ${seen.text}`]),
    ...skippedLines.filter((line) => !seen.skippedLines.includes(line)).map((line) => `line ${line} is not reported`),
    ...(want.errorNotEmpty === true && seen.text === '' ? ['no message'] : []),
    ...(errorContainsAny?.some((part) => text.includes(part.toLowerCase())) === false ? [`the message lacks ${errorContainsAny}`] : []),
    ...errorMustNotContain.filter((part) => seen.text.includes(part)).map((part) => `the message contains ${part}`),
    ...(RUNTIME_ERROR.test(seen.text) ? ['a raw runtime error in the message'] : []),
  ]
}

interface AnswerBody {
  readonly message?: unknown
  readonly error?: unknown
  readonly partialSuccess?: { readonly rejectedSpans?: unknown; readonly errorMessage?: unknown }
}

function jsonOf(text: string): AnswerBody | undefined {
  try {
    return JSON.parse(text) as AnswerBody
  } catch {
    // Not JSON, which is for the expected type to judge.
    return undefined
  }
}
