import * as z from 'zod/mini'
import { defineMessage } from '../message.ts'
import { breakpointMatcher, runMode } from '../primitives.ts'

export const helloAck = defineMessage({
  type: 'hello.ack',
  summary: 'The answer to hello: the full debug state, so an app that attaches mid-run is armed by one message.',
  payload: z.looseObject({
    versions: z.looseObject({ protocol: z.number(), viewer: z.string() }),
    capabilities: z.array(z.string()),
    breakpoints: z.array(breakpointMatcher),
    mode: runMode,
    sessionToken: z.optional(z.string()),
    hubCapabilities: z.optional(z.array(z.string())),
  }),
  example: {
    versions: { protocol: 1, viewer: '0.7.0' },
    capabilities: ['pause', 'step', 'inject', 'retry', 'abort'],
    breakpoints: [{ point: 'error' }],
    mode: 'run',
  },
})
