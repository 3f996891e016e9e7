import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { mapSpan } from '../registry.ts'
import { logsOfOtlpJson, spansOfOtlpJson } from '../testing/decode-otlp.ts'
import { describeMapped } from '../testing/transcript.ts'
import { deriveNodes } from './derive-nodes.ts'
import type { LogView } from './log-view.ts'
import { logKeysOf, readLog, withLogs } from './read-log.ts'

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'fixtures')
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const codex = logsOfOtlpJson(read('codex/session/logs.json'))
const claude = logsOfOtlpJson(read('claude-code/session/logs.json'))

/** Nodes as lines, children under their parent. */
function transcript(logs: readonly LogView[]): string {
  return deriveNodes(logs)
    .map(({ mapped, parentId, startNanos, endNanos }) => {
      const ms = endNanos === undefined ? 'open' : `${Number(endNanos - startNanos) / 1e6} ms`
      const [head, ...fields] = describeMapped(mapped)
      return [`${parentId === undefined ? '' : '  '}${head} ${ms}`, ...fields.map((field) => `      ${field}`)].join('\n')
    })
    .join('\n')
    .concat('\n')
}

describe('a session of Codex', () => {
  it('reads as its transcript says', () => {
    const golden = join(ROOT, 'codex/session/expected.txt')
    const actual = transcript(codex)
    if (process.env['UPDATE_GOLDEN'] === '1' || (!existsSync(golden) && !process.env['CI'])) writeFileSync(golden, actual)
    expect(actual).toBe(readFileSync(golden, 'utf8'))
  })

  it('gives the same nodes in any order of its records', () => {
    expect(deriveNodes([...codex].reverse())).toEqual(deriveNodes(codex))
  })

  it('keeps the ids of what it said when more records come', () => {
    const all = new Map(deriveNodes(codex).map((node) => [node.id, node.mapped.nodeId]))
    for (let count = 0; count < codex.length; count++) {
      for (const { id, mapped } of deriveNodes(codex.slice(0, count))) expect(all.get(id)).toBe(mapped.nodeId)
    }
  })

  it('is open while a tool’s result has not been answered', () => {
    const [turn] = deriveNodes(codex.slice(0, 8))
    expect(turn?.endNanos).toBeUndefined()
  })
})

describe('Claude Code', () => {
  const spans = spansOfOtlpJson(read('claude-code/session/spans.json'))
  const mapped = (name: string, at: number) => {
    const span = spans.filter((candidate) => candidate.name === name).sort((one, other) => Number(one.startNanos - other.startNanos))[at]
    if (span === undefined) throw new Error(`no span ${name}`)
    const plain = mapSpan(span)
    const node = plain.role === 'node' ? plain : undefined
    const keys = logKeysOf(span.spanId, node?.extras?.['responseId'] as string | undefined, node?.toolCallId)
    return mapSpan(
      withLogs(
        span,
        claude.filter((log) => readLog(log)?.about.some((key) => keys.includes(key))),
      ),
    )
  }

  it('tells the price of a request and the error of a tool only in records, which find their span', () => {
    expect(mapped('claude_code.llm_request', 0)).toMatchObject({ usage: { costUsd: 0.0712, outputTokens: 120 } })
    expect(mapped('claude_code.tool', 0)).toMatchObject({ name: 'Bash', error: { message: 'Exit code 1' } })
  })

  it('derives nothing from records that belong to a trace', () => {
    expect(deriveNodes(claude)).toEqual([])
  })

  it('is shown from its records alone when it sends no spans', () => {
    const alone = claude.map((log) => ({ ...log, traceId: undefined, spanId: undefined }))
    expect(deriveNodes(alone).map(({ id, parentId, mapped: node }) => [id, parentId, node.nodeId])).toEqual([
      ['turn:p-1', undefined, 'agent:claude_code.interaction'],
      ['step:req_1', 'turn:p-1', 'llm:step'],
      ['call:toolu_02', 'turn:p-1', 'tool:Read'],
      ['call:toolu_01', 'turn:p-1', 'tool:Bash'],
      ['step:1793610004500000000', 'turn:p-1', 'llm:step'],
      ['step:req_5', 'turn:p-1', 'llm:step'],
    ])
  })
})

describe('readLog', () => {
  it('leaves lines of other programs alone', () => {
    const line = { ...(codex[0] as LogView), name: 'http.request', attributes: { 'conversation.id': 'x' } }
    expect(readLog(line)).toBeUndefined()
  })
})
