import type { Dialect } from '../dialect.ts'
import { OPENINFERENCE_METADATA_KEYS } from '../openinference/metadata-keys.ts'
import { openInferenceNode } from '../openinference/nodes.ts'

/** OpenInference of any instrumentation that has no habits of its own; those have dialects before this one. */
export const openInference: Dialect = {
  name: 'openinference',
  claims: (span) => typeof span.attributes['openinference.span.kind'] === 'string',
  map: (span) => openInferenceNode('openinference', span),
  metadataKeys: OPENINFERENCE_METADATA_KEYS,
}
