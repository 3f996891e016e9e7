import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BreakpointMatcher } from '@graphmind-ai/schema'
import { beforeAll, describe, expect, it } from 'vitest'
import { startCollector } from '../support/collector.ts'
import { installExample, startExample, WAIT_FOR_ATTACH } from '../support/examples.ts'
import { BASELINE, CELLS, KINDS, listed, Operator, type Outcome, PLAN, POINTS, problemWith } from '../support/holding-plan.ts'
import { root } from '../support/process.ts'
import { ViewerScript } from '../support/viewer-script.ts'

const PAGE = join(root, 'docs', 'holding.md')
const [BEGIN, END] = ['<!-- table: begin -->', '<!-- table: end -->']

/** Row name, example and what it is told beside its plan. */
const FRAMEWORKS: [name: string, example: string, env?: Record<string, string>][] = [
  ['AI SDK 4, generateText', 'ai-sdk-4'],
  ['AI SDK 4, streamText', 'ai-sdk-4', { EXAMPLE_STREAM: '1' }],
  ['AI SDK 5, generateText', 'ai-sdk-5'],
  ['AI SDK 5, streamText', 'ai-sdk-5', { EXAMPLE_STREAM: '1' }],
  ['AI SDK 6, generateText', 'ai-sdk-6'],
  ['AI SDK 6, streamText', 'ai-sdk-6', { EXAMPLE_STREAM: '1' }],
  ['AI SDK 7, generateText', 'ai-sdk-7'],
  ['AI SDK 7, streamText', 'ai-sdk-7', { EXAMPLE_STREAM: '1' }],
  ['AI SDK 5, generateText, adapter', 'ai-sdk-5', { EXAMPLE_ADAPTER: '1' }],
  ['AI SDK 5, streamText, adapter', 'ai-sdk-5', { EXAMPLE_ADAPTER: '1', EXAMPLE_STREAM: '1' }],
  ['AI SDK 6, generateText, adapter', 'ai-sdk-6', { EXAMPLE_ADAPTER: '1' }],
  ['AI SDK 6, streamText, adapter', 'ai-sdk-6', { EXAMPLE_ADAPTER: '1', EXAMPLE_STREAM: '1' }],
  ['AI SDK 7, generateText, adapter', 'ai-sdk-7', { EXAMPLE_ADAPTER: '1' }],
  ['AI SDK 7, streamText, adapter', 'ai-sdk-7', { EXAMPLE_ADAPTER: '1', EXAMPLE_STREAM: '1' }],
  ['Genkit', 'genkit'],
  ['OpenInference wrappers', 'openinference'],
  ['Traceloop wrappers', 'traceloop'],
  ['Langfuse observations', 'langfuse'],
  ['Sentry spans', 'sentry'],
  ['awaited spans of one’s own (OTel JS 3)', 'sdk-trace-3'],
]

const BREAKPOINTS: readonly BreakpointMatcher[] = KINDS.flatMap((kind) => POINTS.map((point) => ({ kind, point })))

// What is installed once is not part of how long a framework may take.
beforeAll(() => {
  for (const example of new Set(FRAMEWORKS.map(([, name]) => name))) installExample(example)
}, 300_000)

const rows = new Map<string, readonly string[]>()

function outcomesIn(output: string): readonly Outcome[] {
  return [...output.matchAll(/^result: (.*) \((\d+) model calls, (\d+) tool calls\)$/gm)].map(([, text = '', model, tool]) => ({
    text,
    model: Number(model),
    tool: Number(tool),
  }))
}

describe('a call is held, and does as it is told, in', () => {
  it.concurrent.each(FRAMEWORKS)('%s', { timeout: 120_000 }, async (name, example, env = {}) => {
    const collector = await startCollector()
    const operator = new Operator()
    const viewer = await ViewerScript.open(collector.url, BREAKPOINTS, (held) => operator.react(held))
    try {
      const program = startExample(example, {
        GRAPHMIND_URL: collector.ingestUrl,
        ...WAIT_FOR_ATTACH,
        EXAMPLE_PLAN: PLAN.join(),
        ...env,
      })
      expect(await program.exited, program.output()).toBe(0)
      expect(operator.held.size, 'nothing was held').toBeGreaterThan(0)
      const outcomes = outcomesIn(program.output())
      expect(outcomes, program.output()).toHaveLength(PLAN.length)
      const baseline = Object.fromEntries(BASELINE.map((wish, index) => [wish, outcomes[index] ?? { text: '', model: 0, tool: 0 }]))
      const problems = [...operator.acted].map((cell) => {
        const got = outcomes[BASELINE.length + CELLS.indexOf(cell)]
        return got === undefined ? `${cell.kind} ${cell.point}: no outcome` : problemWith(cell, got, baseline)
      })
      expect(problems.filter((problem) => problem !== undefined)).toEqual([])
      expect(viewer.problems).toEqual([])
      rows.set(
        name,
        KINDS.filter((kind) => POINTS.some((point) => operator.held.has(`${kind} ${point}`))).map(
          (kind) =>
            `| ${name} | ${kind === 'llm' ? 'model' : kind} | ${POINTS.map((point) => listed(kind, point, operator)).join(' | ')} |`,
        ),
      )
    } finally {
      viewer.close()
      await collector.stop()
    }
  })
})

describe('docs/holding.md', () => {
  it('lists what was held, and nothing else (GRAPHMIND_UPDATE_DOCS=1 rewrites its table)', () => {
    const table = [
      '| framework | call | before | after | error |',
      '| --- | --- | --- | --- | --- |',
      ...FRAMEWORKS.flatMap(([name]) => rows.get(name) ?? [`| ${name} | not tested | | | |`]),
    ].join('\n')
    const page = existsSync(PAGE) ? readFileSync(PAGE, 'utf8') : `${BEGIN}\n${END}\n`
    const [head = '', rest = ''] = page.split(BEGIN)
    const tail = rest.split(END)[1] ?? ''
    const fresh = `${head}${BEGIN}\n\n${table}\n\n${END}${tail}`
    if (process.env['GRAPHMIND_UPDATE_DOCS']) writeFileSync(PAGE, fresh)
    else expect(page).toBe(fresh)
  })
})
