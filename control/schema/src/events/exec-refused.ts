import * as z from 'zod/mini'
import { defineMessage } from '../message.ts'
import { refusalCode } from '../primitives.ts'

export const execRefused = defineMessage({
  type: 'exec.refused',
  summary: 'The app could not honour a resume; the gate stays held.',
  payload: z.looseObject({
    pauseId: z.string(),
    code: refusalCode,
    message: z.optional(z.string()),
    requestId: z.optional(z.string()),
  }),
  example: { pauseId: 'p-1', code: 'schema', message: 'nights must be a number' },
})
