import * as z from 'zod/mini'
import { defineMessage } from '../message.ts'
import { errorInfo } from '../primitives.ts'

export const nodeError = defineMessage({
  type: 'node.error',
  summary: 'An execution of a node failed.',
  payload: z.looseObject({
    nodeId: z.string(),
    instanceId: z.optional(z.string()),
    error: errorInfo,
    heldMs: z.optional(z.number()),
  }),
  example: { nodeId: 'tool:searchFlights', instanceId: 'call-1', error: { name: 'TypeError', message: 'rates is undefined' } },
})
