import * as z from 'zod/mini'
import { defineMessage } from '../message.ts'
import { breakpointMatcher, errorInfo, nodeKind, pausePoint, pauseReason, resumeAction } from '../primitives.ts'

export const execPaused = defineMessage({
  type: 'exec.paused',
  summary: 'A gate holds a call. Describes itself, so nobody waits for a span to be stored first (design 6).',
  payload: z.looseObject({
    pauseId: z.string(),
    nodeId: z.string(),
    point: pausePoint,
    kind: z.optional(nodeKind),
    name: z.optional(z.string()),
    instanceId: z.optional(z.string()),
    parentInstanceId: z.optional(z.string()),
    reason: z.optional(pauseReason),
    /** What this gate can honour; absent means all four. */
    actions: z.optional(z.array(resumeAction)),
    editable: z.optional(z.boolean()),
    input: z.optional(z.unknown()),
    /** The result held at an `after` gate. */
    output: z.optional(z.unknown()),
    /** The failure held at an `error` gate. */
    error: z.optional(errorInfo),
    /** The matcher that hit, when a breakpoint did. */
    matcher: z.optional(breakpointMatcher),
    /** When the gate lets go by itself, epoch ms. */
    deadlineMs: z.optional(z.number()),
    /** Whether anybody could see it when it began. The server's word in what it stores, whatever the sender said. */
    watched: z.optional(z.boolean()),
    /**
     * The evidence for reason `loop`. Kind `repeat`: this many identical calls in a row, this one included. `cycle`: this call begins a
     * circle of `period` calls again, of which `laps` came alike. `error-repeat`: the calls of this tool before it failed alike.
     */
    loop: z.optional(
      z.looseObject({
        repeats: z.number(),
        firstSeq: z.number(),
        lastSeq: z.number(),
        fingerprint: z.string(),
        kind: z.optional(z.string()),
        period: z.optional(z.number()),
        laps: z.optional(z.number()),
        /** In trace runs the hub numbers the events, so there these name the calls and the two seqs are the sender's own. */
        firstInstanceId: z.optional(z.string()),
        lastInstanceId: z.optional(z.string()),
        /** The calls of the last lap, or those that failed. */
        instanceIds: z.optional(z.array(z.string())),
      }),
    ),
    /** The client's own rule that held, under reason `breakpoint`: `error-result` or `truncated-tool-call`. `detail` quotes no value. */
    smart: z.optional(z.looseObject({ rule: z.string(), detail: z.optional(z.string()) })),
  }),
  example: {
    pauseId: 'p-1',
    nodeId: 'tool:searchFlights',
    point: 'error',
    kind: 'tool',
    name: 'searchFlights',
    instanceId: 'call-1',
    reason: 'error',
  },
})
