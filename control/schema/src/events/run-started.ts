import * as z from 'zod/mini'
import { defineMessage } from '../message.ts'
import { sdkInfo } from '../primitives.ts'

export const runStarted = defineMessage({
  type: 'run.started',
  summary: 'A run began; a second one for the same run is a correction.',
  payload: z.looseObject({
    app: z.string(),
    sdk: sdkInfo,
    meta: z.optional(z.record(z.string(), z.unknown())),
    /** A new root came after the run had finished: it runs again. */
    reopened: z.optional(z.boolean()),
  }),
  example: { app: 'trip-planner', sdk: { name: 'ai', version: '7.0.173' }, meta: { name: 'book-trip', source: 'live' } },
})
