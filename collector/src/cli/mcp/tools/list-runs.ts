import type { RunInfo } from '@graphmind-ai/schema'
import * as z from 'zod'
import { ok } from '../../../problem.ts'
import { runLink, runPage } from '../../runs/records.ts'
import { withRecords } from '../context.ts'
import { READS, type Tool } from './tool.ts'

const input = {
  filter: z
    .string()
    .optional()
    .describe('filter language: state:error,aborted since:1d name:planner model:gpt* kind:tool error:true tokens:>18k pinned:true'),
  limit: z.int().min(1).max(100).default(20).describe('how many runs'),
  cursor: z.string().optional().describe('nextCursor of the page before'),
}

export const listRuns: Tool<typeof input> = {
  name: 'list_runs',
  title: 'List recorded runs',
  description: 'Recorded runs of agents, newest first: status, times, counts, and a link into the viewer for each.',
  input,
  annotations: READS,
  run: ({ filter, limit, cursor }, context) =>
    withRecords(context, async (records) => {
      const page = await runPage(records, { query: filter, limit, cursor })
      if (!page.ok) return page
      return ok({ runs: page.value.runs.map((run) => runSummary(run, records.url)), nextCursor: page.value.nextCursor })
    }),
}

/** What a model needs of a run to choose it. */
export function runSummary(run: RunInfo, url: string) {
  const { id, name, app, status, source, startedAt, durationMs, nodeCount, errorCount, held, heldMs, live, usage, models, tags } = run
  return {
    ...{ runId: id, name, app, status, source, startedAt: new Date(startedAt).toISOString(), durationMs, nodeCount, errorCount },
    ...(heldMs > 0 ? { heldMs } : {}),
    ...{ ...(usage === undefined ? {} : { usage }), models, ...(tags === undefined || tags.length === 0 ? {} : { tags }) },
    ...(live ? { live } : {}),
    ...(held > 0 ? { held } : {}),
    link: runLink(url, id),
  }
}
