import * as z from 'zod/mini'
import { defineMessage } from '../message.ts'
import { breakpointMatcher } from '../primitives.ts'

export const breakpointClear = defineMessage({
  type: 'breakpoint.clear',
  summary: 'Remove the breakpoint set with an identical matcher.',
  payload: z.looseObject({ matcher: breakpointMatcher }),
  example: { matcher: { kind: 'tool', name: 'searchFlights' } },
})
