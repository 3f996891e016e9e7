import { RESUME_ACTIONS } from '@graphmind-ai/schema'
import * as z from 'zod'
import { releaseCall } from '../../held/resume.ts'
import { needServerApi } from '../../server/server-api.ts'
import { CONTROLS, type Tool } from './tool.ts'

const input = {
  runId: z.string().describe('as list_pauses gives it'),
  pauseId: z.string().describe('as list_pauses gives it'),
  action: z.enum(RESUME_ACTIONS).describe('continue, retry, inject (give the output) or abort (end the run)'),
  output: z.unknown().optional().describe('with inject: the value that the call gives'),
  input: z.unknown().optional().describe('with continue or retry: the changed input; only the keys named are replaced'),
}

export const resumePause: Tool<typeof input> = {
  name: 'resume_pause',
  title: 'Let a held call go on',
  description: 'Lets one held call go on. It changes what a running program does: ask the person first unless they told you to.',
  input,
  annotations: CONTROLS,
  async run({ runId, pauseId, ...command }, { flags, environment }) {
    const server = await needServerApi(flags, environment)
    return server.ok ? releaseCall(server.value, { runId, pauseId }, { ...command, operator: 'mcp' }) : server
  },
}
