import * as z from 'zod/mini'
import { defineMessage } from '../message.ts'
import { runMode } from '../primitives.ts'

export const modeSet = defineMessage({
  type: 'mode.set',
  summary: 'Switch between run and step.',
  payload: z.looseObject({ mode: runMode }),
  example: { mode: 'step' },
})
