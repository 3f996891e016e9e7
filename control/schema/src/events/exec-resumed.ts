import * as z from 'zod/mini'
import { defineMessage } from '../message.ts'
import { resumeAction } from '../primitives.ts'

const RELEASE_CAUSES = ['viewer', 'link-lost', 'timeout', 'disposed'] as const

export const execResumed = defineMessage({
  type: 'exec.resumed',
  summary: 'A gate let go, also when it did so by itself.',
  payload: z.looseObject({
    pauseId: z.string(),
    action: resumeAction,
    edited: z.optional(z.looseObject({ after: z.unknown() })),
    injected: z.optional(z.looseObject({ output: z.unknown() })),
    requestId: z.optional(z.string()),
    principal: z.optional(z.string()),
    operator: z.optional(z.string()),
    /** Who or what let go; a link loss or a time-out is never shown as a person's choice. */
    cause: z.optional(z.enum(RELEASE_CAUSES)),
    heldMs: z.optional(z.number()),
    /** Which node this released, so that the injected value finds its instance. */
    nodeId: z.optional(z.string()),
    instanceId: z.optional(z.string()),
  }),
  example: { pauseId: 'p-1', action: 'inject', injected: { output: 42 }, requestId: 'r-1' },
})
