import { NODE_KINDS, PAUSE_POINTS } from '@graphmind-ai/schema'
import * as z from 'zod'
import { needServerApi } from '../../server/server-api.ts'
import { changeBreakpoint } from '../../server/viewer-socket.ts'
import { CONTROLS, type Tool } from './tool.ts'

const input = {
  kind: z.enum(NODE_KINDS).optional().describe('nodes of this kind'),
  name: z.string().optional().describe('the node with this name'),
  point: z.enum(PAUSE_POINTS).default('before').describe('before the call, after it, or at its error'),
  where: z.string().optional().describe('a condition, like input.amount > 100'),
  runId: z.string().optional().describe('in this run only'),
  once: z.boolean().optional().describe('gone after its first hit'),
  clear: z.boolean().default(false).describe('take the breakpoint away in place of setting it'),
}

export const setBreakpoint: Tool<typeof input> = {
  name: 'set_breakpoint',
  title: 'Set or clear a breakpoint',
  description:
    'Sets a breakpoint for all connected programs: calls that match are held until someone lets them go. With clear it is taken away.',
  input,
  annotations: CONTROLS,
  async run({ clear, ...fields }, { flags, environment }) {
    const server = await needServerApi(flags, environment)
    if (!server.ok) return server
    const matcher = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
    return changeBreakpoint(server.value, clear ? 'breakpoint.clear' : 'breakpoint.set', matcher)
  },
}
