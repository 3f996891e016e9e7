import * as z from 'zod/mini'
import { defineMessage } from '../message.ts'
import { clearedFields, errorInfo, redaction } from '../primitives.ts'

export const nodeError = defineMessage({
  type: 'node.error',
  summary: 'An execution of a node failed.',
  payload: z.looseObject({
    nodeId: z.string(),
    instanceId: z.optional(z.string()),
    error: errorInfo,
    /** Given here when it was not known at the start. */
    input: z.optional(z.unknown()),
    heldMs: z.optional(z.number()),
    attempts: z.optional(z.number()),
    injected: z.optional(z.boolean()),
    finishReason: z.optional(z.string()),
    model: z.optional(z.string()),
    redaction: z.optional(redaction),
    /** Fields that hold no longer. */
    cleared: z.optional(clearedFields),
  }),
  example: { nodeId: 'tool:searchFlights', instanceId: 'call-1', error: { name: 'TypeError', message: 'rates is undefined' } },
})
