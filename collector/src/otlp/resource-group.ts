import type { Result } from '../problem.ts'
import type { OtlpResource, OtlpScope, OtlpSpan } from './otlp-json.ts'

/** A part of a trace request as every format's reader gives it. */
export interface ResourceGroup {
  readonly resource: OtlpResource
  readonly scopes: readonly ScopeGroup[]
}

export interface ScopeGroup {
  readonly scope: OtlpScope
  /** A broken span does not take its batch with it. */
  readonly spans: readonly Result<OtlpSpan>[]
}
