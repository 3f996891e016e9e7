import type { Envelope } from '@graphmind-ai/schema'
import type { DecodedLog } from '../../otlp/decode-logs.ts'
import type { OtlpResource, OtlpScope, OtlpSpan } from '../../otlp/otlp-json.ts'
import type { Fields } from '../../otlp/read-value.ts'
import type { Result } from '../../problem.ts'
import type { Frame, Leaf } from '../leaf.ts'

/** A span of any format, in the terms of OTLP. */
export interface ReadSpan {
  readonly span: OtlpSpan
  readonly resource: OtlpResource
  readonly scope: OtlpScope
}

export type LeafContent =
  | { readonly kind: 'spans'; readonly spans: readonly ReadSpan[] }
  | { readonly kind: 'event'; readonly envelope: Envelope; readonly origin: string | undefined }
  | { readonly kind: 'log'; readonly log: DecodedLog }
  /** Known, and nothing we keep. */
  | { readonly kind: 'nothing' }

/** One shape in which spans are written to files. The first format that claims an object reads it. */
export interface TraceFormat {
  /** As users know it, for the list of known formats. */
  readonly name: string
  claims(fields: Fields, leaf: Leaf): boolean
  /**
   * The enclosing object that has to end before this one can be read, as its other fields may come behind. `patient`: also for fields that
   * would be good to have, such as the schema URL; else only for those without which the span makes no sense.
   */
  waitsFor?(leaf: Leaf, patient: boolean): Frame | undefined
  /** A problem's message says what is wrong with this one object. */
  read(fields: Fields, leaf: Leaf): Result<LeafContent>
}
