import type { Result } from '../problem.ts'
import type { OtlpResource, OtlpScope } from './otlp-json.ts'

/** A part of a request of spans or log records, as every format's reader gives it. */
export interface ResourceGroup<Item> {
  readonly resource: OtlpResource
  readonly scopes: readonly ScopeGroup<Item>[]
}

export interface ScopeGroup<Item> {
  readonly scope: OtlpScope
  /** A broken item does not take its batch with it. */
  readonly items: readonly Result<Item>[]
}
