import { REDACTED } from '@graphmind-ai/schema'
import * as z from 'zod'
import { isSecretKey } from '../../../export/secrets.ts'
import { ok } from '../../../problem.ts'
import { runLink } from '../../runs/records.ts'
import { searchRecords } from '../../search/search.ts'
import { withRecords } from '../context.ts'
import { READS, type Tool } from './tool.ts'

const input = {
  query: z.string().describe('words or their beginnings, all of which must be there; a "text in quotes" stands as it is written'),
  runId: z.string().optional().describe('in this run only'),
  in: z.string().optional().describe('name, input, output, error, parted by commas; all when absent'),
  kind: z.string().optional().describe('node kinds, parted by commas, like llm,tool'),
  limit: z.int().min(1).max(100).default(20).describe('how many hits'),
  cursor: z.string().optional().describe('nextCursor of the page before'),
}

export const searchRuns: Tool<typeof input> = {
  name: 'search_runs',
  title: 'Search all runs',
  description:
    'Calls of all runs whose name, input, output or error has all the words: where, a snippet, and a link. get_node reads the value.',
  input,
  annotations: READS,
  run: ({ query, runId, in: fields, kind, limit, cursor }, context) =>
    withRecords(context, async (records) => {
      const found = await searchRecords(records, { query, in: fields, kind, limit: String(limit), cursor }, { runId })
      if (!found.ok) return found
      const { hits, nextCursor, index } = found.value
      return ok({
        hits: hits.map(({ snippet, path, runStartedAt: _, ...hit }) => ({
          ...hit,
          path,
          // What leaves for a model provider is masked like an export.
          snippet: isSecretKey(path) ? REDACTED : snippet.text,
          link: runLink(records.url, hit.runId, hit.instanceId),
        })),
        nextCursor,
        ...(index.waiting > 0 ? { note: `${index.waiting} of ${index.events} events are not in the index yet.` } : {}),
      })
    }),
}
