import * as z from 'zod/mini'
import { defineMessage } from '../message.ts'
import { clearedFields, nodeKind, redaction } from '../primitives.ts'

export const nodeStarted = defineMessage({
  type: 'node.started',
  summary:
    'An execution of a node began; for a known instance it is a correction of identity and place. `cleared` names fields that earlier events said of the instance and that hold no longer: `error` takes back the failure, `status` the whole end, `*` everything but identity and place.',
  payload: z.looseObject({
    nodeId: z.string(),
    /** Node id of the logical parent. In a correction an absent field keeps its known value and null clears it. */
    parentId: z.nullish(z.string()),
    kind: nodeKind,
    name: z.string(),
    instanceId: z.string(),
    input: z.optional(z.unknown()),
    /** Nearest shown ancestor's instance, as far as known. */
    parentInstanceId: z.nullish(z.string()),
    /** Takes this instance out of the picture: its children and later events belong to the named one. */
    aliasOf: z.nullish(z.string()),
    traceId: z.optional(z.string()),
    spanId: z.optional(z.string()),
    toolCallId: z.optional(z.string()),
    attempt: z.optional(z.number()),
    model: z.optional(z.string()),
    provider: z.optional(z.string()),
    /** Known only from messages or logs, not from a span of its own. */
    derived: z.optional(z.boolean()),
    collapsed: z.optional(z.boolean()),
    /** Why no breakpoint can hold this call; clients of the 0.6 generation say only `true`. */
    ungated: z.optional(z.union([z.string(), z.boolean()])),
    redaction: z.optional(redaction),
    /** Fields that hold no longer. */
    cleared: z.optional(clearedFields),
    /** Nanoseconds since 1970 as a decimal string. */
    startTimeUnixNano: z.optional(z.string()),
  }),
  example: {
    nodeId: 'tool:searchFlights',
    parentId: 'agent:trip-planner',
    kind: 'tool',
    name: 'searchFlights',
    instanceId: 'call-1',
    input: { from: 'VIE', to: 'LIS' },
  },
})
