import * as z from 'zod/mini'
import { defineMessage } from '../message.ts'
import { clearedFields, redaction, runStatus, tokenUsage } from '../primitives.ts'

export const nodeFinished = defineMessage({
  type: 'node.finished',
  summary:
    'An execution of a node ended; a later one corrects the fields it has and takes back those it names in `cleared` (see node.started).',
  payload: z.looseObject({
    nodeId: z.string(),
    instanceId: z.optional(z.string()),
    output: z.optional(z.unknown()),
    /** Given here when it was not known at the start. */
    input: z.optional(z.unknown()),
    usage: z.optional(tokenUsage),
    durationMs: z.number(),
    status: runStatus,
    heldMs: z.optional(z.number()),
    attempts: z.optional(z.number()),
    injected: z.optional(z.boolean()),
    finishReason: z.optional(z.string()),
    model: z.optional(z.string()),
    redaction: z.optional(redaction),
    /** Fields that hold no longer. */
    cleared: z.optional(clearedFields),
    endTimeUnixNano: z.optional(z.string()),
  }),
  example: { nodeId: 'tool:searchFlights', instanceId: 'call-1', output: [{ flight: 'OS 355' }], durationMs: 812.4, status: 'ok' },
})
