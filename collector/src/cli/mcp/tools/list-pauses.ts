import * as z from 'zod'
import { ok } from '../../../problem.ts'
import { heldCalls, pauseRow } from '../../held/pauses.ts'
import { runLink } from '../../runs/records.ts'
import { findServerApi } from '../../server/server-api.ts'
import { preview } from '../values.ts'
import { READS, type Tool } from './tool.ts'

const input = {
  runId: z.string().optional().describe('held calls of this run only'),
  waitSeconds: z.int().min(0).max(50).default(0).describe('wait so long until something is held'),
}

export const listPauses: Tool<typeof input> = {
  name: 'list_pauses',
  title: 'List held calls',
  description: 'Calls that are held now and wait for a person: what they are, why they are held, and what may be done with them.',
  input,
  annotations: READS,
  async run({ runId, waitSeconds }, { flags, environment }) {
    const server = await findServerApi(flags, environment)
    if (!server.ok) return server
    if (server.value === undefined) return ok({ pauses: [], note: 'No GraphMind server is running, so nothing is held.' })
    const { url } = server.value
    const held = await heldCalls(server.value, runId, waitSeconds)
    if (!held.ok) return held
    return ok({
      pauses: held.value.map((pause) => ({
        ...pauseRow(pause),
        input: preview(pause.payload['input'], 'the viewer shows the rest'),
        error: preview(pause.payload['error'], 'the viewer shows the rest'),
        link: runLink(url, pause.runId, typeof pause.payload['instanceId'] === 'string' ? pause.payload['instanceId'] : undefined),
      })),
    })
  },
}
