import * as z from 'zod/mini'
import { defineMessage } from '../message.ts'
import { errorInfo, runStatus } from '../primitives.ts'

export const runFinished = defineMessage({
  type: 'run.finished',
  summary: 'A run ended; a later one corrects it, a new root reopens the run.',
  payload: z.looseObject({ status: runStatus, error: z.optional(errorInfo) }),
  example: { status: 'ok' },
})
