import * as z from 'zod/mini'
import { defineMessage } from '../message.ts'
import { pausePoint } from '../primitives.ts'

export const breakpointHit = defineMessage({
  type: 'breakpoint.hit',
  summary: 'A breakpoint beyond the base contract was reached; a log point is not a pause.',
  payload: z.looseObject({
    /** The matcher's id, or its fields as text when it has none. */
    id: z.string(),
    nodeId: z.string(),
    instanceId: z.optional(z.string()),
    point: z.optional(pausePoint),
    /** There when the breakpoint only marks and never waits. */
    logged: z.optional(z.unknown()),
    /** Why its condition could not be asked; it held nothing. */
    error: z.optional(z.string()),
  }),
  example: { id: 'bp-1', nodeId: 'tool:searchFlights', instanceId: 'call-1' },
})
