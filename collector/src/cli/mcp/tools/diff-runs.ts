import * as z from 'zod'
import { ok } from '../../../problem.ts'
import { comparisonOf } from '../../diff/diff.ts'
import { runLink } from '../../runs/records.ts'
import { withRecords } from '../context.ts'
import { runSummary } from './list-runs.ts'
import { READS, type Tool } from './tool.ts'

const MAX_ROWS = 200

const input = {
  left: z.string().describe('the run to compare with, as list_runs gives it'),
  right: z.string().describe('the run to look at'),
  includeSame: z.boolean().default(false).describe('also calls that are the same'),
}

export const diffRuns: Tool<typeof input> = {
  name: 'diff_runs',
  title: 'Compare two runs',
  description:
    'Two runs aligned call by call: which calls came, went, or changed in status, error, model, input or output. get_node reads the values.',
  input,
  annotations: READS,
  run: ({ left, right, includeSame }, context) =>
    withRecords(context, async (records) => {
      const compared = await comparisonOf(records, left, right)
      if (!compared.ok) return compared
      const { rows, counts, delta, isSame } = compared.value
      const shown = rows.filter(({ verdict }) => includeSame || verdict !== 'same')
      const omitted = Math.max(0, shown.length - MAX_ROWS)
      return ok({
        left: runSummary(compared.value.left.run, records.url),
        right: runSummary(compared.value.right.run, records.url),
        ...{ isSame, counts, delta },
        rows: shown
          .slice(0, MAX_ROWS)
          .map((row) => ({ ...row, link: runLink(records.url, row.right === undefined ? left : right, (row.right ?? row.left)?.id) })),
        ...(omitted > 0 ? { rowsOmitted: omitted } : {}),
      })
    }),
}
