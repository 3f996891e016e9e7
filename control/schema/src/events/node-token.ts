import * as z from 'zod/mini'
import { defineMessage } from '../message.ts'
import { redaction, tokenDelta } from '../primitives.ts'

export const nodeToken = defineMessage({
  type: 'node.token',
  summary: 'Streamed pieces of a node’s output, batched by the sender.',
  payload: z.looseObject({
    nodeId: z.string(),
    instanceId: z.optional(z.string()),
    deltas: z.array(tokenDelta),
    redaction: z.optional(redaction),
  }),
  example: {
    nodeId: 'llm:step',
    instanceId: '00f067aa0ba902b7',
    deltas: [
      { t: 'text', v: 'Lis' },
      { t: 'text', v: 'bon' },
    ],
  },
})
