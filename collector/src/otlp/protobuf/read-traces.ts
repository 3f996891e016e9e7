import type { Result } from '../../problem.ts'
import type { OtlpSpan } from '../otlp-json.ts'
import type { ResourceGroup } from '../resource-group.ts'
import { readGroups } from './read-groups.ts'
import { readSpan } from './read-span.ts'

/** Reads an OTLP trace request in protobuf, straight into the form we keep. Nothing is rounded; unknown fields are passed over. */
export function readTraces(bytes: Uint8Array): Result<readonly ResourceGroup<OtlpSpan>[]> {
  return readGroups(bytes, 'trace', readSpan)
}
