import * as z from 'zod/mini'
import { defineMessage } from '../message.ts'
import { graphNodeHint } from '../primitives.ts'

export const graphHint = defineMessage({
  type: 'graph.hint',
  summary: 'Nodes known before anything ran, drawn grey until reached; with `gap` the announcement of lost events.',
  payload: z.looseObject({
    nodes: z.array(graphNodeHint),
    gap: z.optional(z.looseObject({ droppedCount: z.number(), fromSeq: z.number(), toSeq: z.number(), reason: z.string() })),
  }),
  example: { nodes: [{ nodeId: 'tool:searchFlights', kind: 'tool', name: 'searchFlights', parentId: 'agent:trip-planner' }] },
})
