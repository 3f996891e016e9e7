import * as z from 'zod/mini'
import { defineMessage } from '../message.ts'
import { resumeAction } from '../primitives.ts'

export const execResume = defineMessage({
  type: 'exec.resume',
  summary: 'Release a held gate. `output` only with inject; `input` (an edit) with continue at before, retry at after and error.',
  payload: z.looseObject({
    pauseId: z.string(),
    action: resumeAction,
    output: z.optional(z.unknown()),
    input: z.optional(z.unknown()),
    requestId: z.optional(z.string()),
    /** What the person calls themselves; kept in the record, never relayed to the app. */
    operator: z.optional(z.string()),
  }),
  example: { pauseId: 'p-1', action: 'inject', output: { flight: 'OS 355' }, requestId: 'r-1' },
})
