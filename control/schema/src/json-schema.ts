import * as z from 'zod/mini'
import { CONTROLS } from './controls/index.ts'
import { EVENTS } from './events/index.ts'
import { MAX_ID_LENGTH } from './ids.ts'
import { MAX_TS } from './parse.ts'
import { breakpointMatcher, errorInfo, graphNodeHint, nodeKind, redaction, sdkInfo, tokenDelta, tokenUsage } from './primitives.ts'
import { PROTOCOL_VERSION } from './version.ts'

/** A JSON Schema document or a part of one. */
export type JsonSchema = { [key: string]: unknown }

const DIALECT = 'https://json-schema.org/draft/2020-12/schema'

/**
 * The whole contract as one JSON Schema (draft 2020-12): an envelope is one of the known messages, or a message of a type this
 * version does not know, whose payload is opaque.
 */
export function exportJsonSchema(): JsonSchema {
  const definitions: JsonSchema = {}
  const known = [...EVENTS, ...CONTROLS].map((message) => {
    definitions[message.type] = {
      description: message.summary,
      type: 'object',
      properties: { type: { const: message.type }, payload: payloadSchema(message.payload, definitions) },
      required: ['payload'],
      examples: [{ gm: PROTOCOL_VERSION, seq: 0, ts: 1_756_254_187_512, runId: 'run-1', type: message.type, payload: message.example }],
    }
    return message.type
  })
  definitions['unknown-type'] = {
    description: 'A message of a type this version does not know. Keep it and treat its payload as opaque.',
    type: 'object',
    properties: { type: { not: { enum: known } } },
  }
  return {
    $schema: DIALECT,
    title: 'GraphMind wire envelope',
    description: 'One JSON text frame of the GraphMind wire protocol. Unknown fields are allowed everywhere and must be kept.',
    type: 'object',
    properties: {
      gm: { const: PROTOCOL_VERSION, description: 'Protocol major version; reject an envelope with another.' },
      seq: {
        type: 'integer',
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'Counted per sender; replays are deduplicated on (runId, seq).',
      },
      ts: { type: 'number', minimum: -MAX_TS, maximum: MAX_TS, description: 'Sender’s clock, epoch milliseconds.' },
      runId: {
        type: 'string',
        minLength: 1,
        maxLength: MAX_ID_LENGTH,
        pattern: '^[^\\u0000]*$',
        description: 'The run, or * for messages that belong to none.',
      },
      type: { type: 'string' },
    },
    required: ['gm', 'seq', 'ts', 'runId', 'type'],
    oneOf: [...known, 'unknown-type'].map((name) => ({ $ref: `#/$defs/${name}` })),
    $defs: sortedByName(definitions),
  }
}

/** `exportJsonSchema` as text: the same for the same version, two spaces deep, with a newline at the end. */
export function exportJsonSchemaString(): string {
  return `${JSON.stringify(exportJsonSchema(), null, 2)}\n`
}

const names = z
  .registry<{ id: string }>()
  .add(breakpointMatcher, { id: 'BreakpointMatcher' })
  .add(errorInfo, { id: 'ErrorInfo' })
  .add(graphNodeHint, { id: 'GraphNodeHint' })
  .add(nodeKind, { id: 'NodeKind' })
  .add(redaction, { id: 'Redaction' })
  .add(sdkInfo, { id: 'SdkInfo' })
  .add(tokenDelta, { id: 'TokenDelta' })
  .add(tokenUsage, { id: 'TokenUsage' })

/** One payload's schema; the primitives it uses go into the shared definitions. */
function payloadSchema(payload: z.ZodMiniType, definitions: JsonSchema): JsonSchema {
  const { $schema: _dialect, $defs, ...schema } = z.toJSONSchema(payload, { target: 'draft-2020-12', io: 'input', metadata: names })
  for (const [name, definition] of Object.entries($defs ?? {})) {
    const { id: _id, ...rest } = definition
    definitions[name] = rest
  }
  return schema
}

function sortedByName(definitions: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(definitions).sort(([one], [other]) => (one < other ? -1 : 1)))
}
