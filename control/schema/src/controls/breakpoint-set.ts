import * as z from 'zod/mini'
import { defineMessage } from '../message.ts'
import { breakpointMatcher } from '../primitives.ts'

export const breakpointSet = defineMessage({
  type: 'breakpoint.set',
  summary: 'Add a breakpoint. Matchers dedupe by exact field equality.',
  payload: z.looseObject({ matcher: breakpointMatcher }),
  example: { matcher: { kind: 'tool', name: 'searchFlights' } },
})
