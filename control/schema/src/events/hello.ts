import * as z from 'zod/mini'
import { defineMessage } from '../message.ts'
import { sdkInfo } from '../primitives.ts'

export const hello = defineMessage({
  type: 'hello',
  summary: 'First frame of an app: who it is and what it can do.',
  payload: z.looseObject({
    versions: z.looseObject({ protocol: z.number(), client: z.string() }),
    capabilities: z.array(z.string()),
    app: z.optional(z.string()),
    sdk: z.optional(sdkInfo),
    /** Random per process; makes the origin of a replayed event unique (design 4). */
    senderId: z.optional(z.string()),
    resumeToken: z.optional(z.string()),
    /** `otlp`: this app's nodes arrive as spans, so the hub sequences its runs. */
    spans: z.optional(z.string()),
    /** Names of the active redaction switches. */
    hide: z.optional(z.array(z.string())),
    /** How long a call of this app may be held while no viewer is connected, ms; for ever when absent. */
    unwatchedHoldMs: z.optional(z.number()),
  }),
  example: { versions: { protocol: 1, client: '0.7.0' }, capabilities: ['pause', 'step', 'inject', 'retry', 'abort'], app: 'trip-planner' },
})
