import { type InstancePicture, nodesOf } from '@graphmind-ai/schema'
import * as z from 'zod'
import { ok } from '../../../problem.ts'
import { readPicture } from '../../../store/reads/picture.ts'
import { NOT_LIVE, runInfoOf } from '../../../store/reads/run-info.ts'
import { readableRun } from '../../runs/records.ts'
import { withRecords } from '../context.ts'
import { runSummary } from './list-runs.ts'
import { READS, type Tool } from './tool.ts'

const MAX_NODES = 200

const input = { runId: z.string().describe('as list_runs gives it') }

export const getRun: Tool<typeof input> = {
  name: 'get_run',
  title: 'Get one run',
  description: 'One run: its summary and its nodes (places in the program) with kind, number of executions, time, failures and last error.',
  input,
  annotations: READS,
  run: ({ runId }, context) =>
    withRecords(context, async (records) => {
      const run = await readableRun(records, runId)
      if (!run.ok) return run
      const picture = await readPicture(records.database, run.value)
      const nodes = nodesOf(picture).map((node) => {
        const instances = node.instanceIds.flatMap((id) => picture.instances.get(id) ?? [])
        const { nodeId, kind, name, instanceIds, running, paused, errors, aborted, durationMs, usage } = node
        const lastError = instances.findLast(({ errors }) => errors.length > 0)?.errors.at(-1)
        return {
          ...{ nodeId, kind, name, executions: instanceIds.length, durationMs },
          ...Object.fromEntries(Object.entries({ running, paused, errors, aborted }).filter(([, count]) => count > 0)),
          ...(usage === undefined ? {} : { usage }),
          ...(lastError === undefined ? {} : { lastError: `${lastError.name}: ${lastError.message}`.slice(0, 500) }),
          firstStart: Math.min(...instances.map(startOf)),
        }
      })
      const inOrder = nodes.sort((one, other) => one.firstStart - other.firstStart).map(({ firstStart: _, ...node }) => node)
      const omitted = Math.max(0, inOrder.length - MAX_NODES)
      return ok({
        ...runSummary(runInfoOf(run.value, NOT_LIVE), records.url),
        nodes: inOrder.slice(0, MAX_NODES),
        ...(omitted > 0 ? { nodesOmitted: omitted } : {}),
      })
    }),
}

const startOf = ({ startedAt }: InstancePicture): number => startedAt
