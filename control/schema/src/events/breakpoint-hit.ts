import * as z from 'zod/mini'
import { defineMessage } from '../message.ts'

export const breakpointHit = defineMessage({
  type: 'breakpoint.hit',
  summary: 'A breakpoint with an id was reached; a log point is not a pause.',
  payload: z.looseObject({
    id: z.string(),
    nodeId: z.string(),
    instanceId: z.optional(z.string()),
    logged: z.optional(z.unknown()),
    error: z.optional(z.string()),
  }),
  example: { id: 'bp-1', nodeId: 'tool:searchFlights', instanceId: 'call-1' },
})
