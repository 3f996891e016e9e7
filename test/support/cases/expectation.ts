/** The words of `test/cases/README.md`, as types. */
export type OneOf<Value> = Value | readonly Value[]

export interface ExpectedNode {
  readonly nodeId: string
  readonly kind?: OneOf<string>
  readonly name?: OneOf<string>
  readonly parent?: OneOf<string | null>
  readonly instances?: OneOf<number>
  readonly status?: OneOf<string>
  readonly errors?: OneOf<number>
  readonly or?: readonly string[]
}

export interface ExpectedRun {
  readonly status?: OneOf<string>
  readonly spans?: OneOf<number>
  readonly usage?: { readonly inputTokens?: OneOf<number>; readonly outputTokens?: OneOf<number> }
  readonly nodes?: readonly ExpectedNode[]
  readonly may?: readonly string[]
  readonly mayNodes?: readonly string[]
  readonly errors?: readonly { readonly nodeId?: OneOf<string>; readonly contains?: OneOf<string> }[]
  readonly content?: readonly { readonly nodeId: OneOf<string>; readonly field: 'input' | 'output'; readonly contains: OneOf<string> }[]
  readonly attributes?: readonly { readonly spanId: string; readonly key: string; readonly text: string }[]
  readonly durations?: readonly { readonly nodeId: OneOf<string>; readonly ms: OneOf<number>; readonly tolerance?: number }[]
  readonly order?: readonly string[]
  readonly rootNodeId?: OneOf<string>
}

export interface ExpectedHttp {
  readonly status?: OneOf<number>
  readonly rejectedSpans?: OneOf<number>
  readonly responseType?: OneOf<string>
  readonly errorNotEmpty?: boolean
  readonly alternatives?: readonly ExpectedHttp[]
}

export interface ExpectedImport {
  readonly result?: OneOf<'ok' | 'partial' | 'rejected'>
  readonly skippedLines?: readonly number[]
  readonly errorNotEmpty?: boolean
  readonly errorContainsAny?: readonly string[]
  readonly errorMustNotContain?: readonly string[]
}

export interface Expectation {
  readonly runs?: readonly ExpectedRun[]
  readonly http?: readonly ExpectedHttp[]
  readonly import?: ExpectedImport
  readonly alternatives?: readonly Expectation[]
  readonly withinSeconds?: number
  readonly outputIsValidUtf8?: boolean
  readonly noNegativeDurations?: boolean
  readonly runsInAnyOrder?: boolean
  readonly mayHaveMoreRuns?: number
}

export interface CaseRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
  readonly chunked?: boolean
}

export interface CasePart {
  readonly name: string
  readonly given: {
    readonly import?: readonly string[]
    readonly post?: boolean
    readonly requests?: readonly CaseRequest[]
    readonly control?: string
  }
  readonly expect: Expectation
}

export interface Case {
  readonly case: string
  readonly title: string
  readonly parts: readonly CasePart[]
}

export function isOneOf<Value>(expected: OneOf<Value> | undefined, actual: Value): boolean {
  return expected === undefined || (Array.isArray(expected) ? expected.includes(actual) : expected === actual)
}

export function listOf<Value>(value: OneOf<Value> | undefined): readonly Value[] {
  if (value === undefined) return []
  return Array.isArray(value) ? (value as readonly Value[]) : [value as Value]
}
