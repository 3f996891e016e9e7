import * as z from 'zod'
import { ok } from '../../../problem.ts'
import { readPicture } from '../../../store/reads/picture.ts'
import { readableRun, runLink, runPage } from '../../runs/records.ts'
import { withRecords } from '../context.ts'
import { preview } from '../values.ts'
import { READS, type Tool } from './tool.ts'

/** Runs looked into for failures: the newest that have any. */
const MAX_RUNS = 50

const input = {
  runId: z.string().optional().describe('failures of this run only'),
  limit: z.int().min(1).max(100).default(20).describe('how many failures'),
}

export const findErrors: Tool<typeof input> = {
  name: 'find_errors',
  title: 'Find recent failures',
  description: 'Calls that failed, newest first, over all runs or in one: node, error with stack, the input that caused it, and a link.',
  input,
  annotations: READS,
  run: ({ runId, limit }, context) =>
    withRecords(context, async (records) => {
      const listed = runId === undefined ? await runPage(records, { query: 'error:true', limit: MAX_RUNS }) : undefined
      if (listed?.ok === false) return listed
      const runIds = runId === undefined ? (listed?.value.runs ?? []).map(({ id }) => id) : [runId]
      const errors: object[] = []
      for (const id of runIds) {
        if (errors.length >= limit) break
        const run = await readableRun(records, id)
        if (!run.ok) return run
        const picture = await readPicture(records.database, run.value)
        const failures = [...picture.instances.values()].filter((instance) => instance.errors.length > 0)
        for (const { id: instanceId, nodeId, kind, name, status, input: given, errors: found } of failures.sort(
          (one, other) => other.lastSeq - one.lastSeq,
        )) {
          if (errors.length >= limit) break
          const more = `get_node with instanceId "${instanceId}" reads the rest`
          errors.push({
            ...{ runId: id, runName: run.value.name, instanceId, nodeId, kind, name, status },
            error: preview(found.at(-1), more),
            input: preview(given, more),
            link: runLink(records.url, id, instanceId),
          })
        }
      }
      return ok({ errors })
    }),
}
