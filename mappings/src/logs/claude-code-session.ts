import { countOf, flagOf, numberOf, textOf } from '../read/attribute.ts'
import { contentOf } from '../read/content.ts'
import { defined } from '../read/defined.ts'
import { drawnByName, drawnStep } from '../read/drawn.ts'
import { plusParts, tokenUsage } from '../read/usage.ts'
import { type DerivedNode, inOrder, startOf } from './derived-node.ts'
import type { LogView } from './log-view.ts'

const DIALECT = 'claude-code'

/** Claude Code without its traces: a turn by `prompt.id`, its requests and tools. Sent beside spans, the same records only add to them. */
export function claudeCodeNodes(logs: readonly LogView[]): readonly DerivedNode[] {
  const turns = new Map<string, LogView[]>()
  for (const log of inOrder(logs)) {
    if (!/^claude_code\.(user_prompt|api_request|api_error|tool_result|tool_decision|assistant_response)$/.test(log.name)) continue
    const id = `turn:${textOf(log.attributes, 'prompt.id') ?? 'first'}`
    const known = turns.get(id)
    if (known === undefined) turns.set(id, [log])
    else known.push(log)
  }
  const all = [...turns]
  return all.flatMap(([id, events], index) => nodesOf(id, events, index < all.length - 1))
}

function nodesOf(id: string, events: readonly LogView[], isOver: boolean): readonly DerivedNode[] {
  const steps = events.flatMap((log) => stepOf(log, id) ?? [])
  const prompt = events.find((log) => log.name === 'claude_code.user_prompt')
  const answer = events.findLast((log) => log.name === 'claude_code.assistant_response')
  const last = events.at(-1)
  const isDone = isOver || last === answer || last?.name === 'claude_code.api_request'
  const any = events[0]
  const mapped = drawnByName(DIALECT, 'agent', 'claude_code.interaction', {
    run: defined({
      name: 'claude-code',
      sessionId: any && textOf(any.attributes, 'session.id'),
      userId: any && textOf(any.attributes, 'user.id'),
    }),
    input: prompt && textOf(prompt.attributes, 'prompt'),
    output: answer && (contentOf(answer.attributes, 'response', 'text', 'content') ?? undefined),
  })
  return [
    { id, parentId: undefined, startNanos: earliest(steps, events), endNanos: isDone ? last?.timeNanos : undefined, mapped },
    ...steps,
  ]
}

function earliest(steps: readonly DerivedNode[], events: readonly LogView[]): bigint {
  let first = events[0]?.timeNanos ?? 0n
  for (const { startNanos } of steps) if (startNanos < first) first = startNanos
  return first
}

function stepOf(log: LogView, parentId: string): DerivedNode | undefined {
  const { name, timeNanos, attributes } = log
  const times = { parentId, startNanos: startOf(log), endNanos: timeNanos }
  if (name === 'claude_code.tool_result')
    return { ...times, id: `call:${textOf(attributes, 'tool_use_id') ?? timeNanos}`, mapped: toolOf(log) }
  if (name !== 'claude_code.api_request' && name !== 'claude_code.api_error') return undefined
  const cacheRead = countOf(attributes, 'cache_read_tokens')
  const cacheWrite = countOf(attributes, 'cache_creation_tokens')
  const requestId = textOf(attributes, 'request_id')
  const mapped = drawnStep(DIALECT, {
    model: textOf(attributes, 'model'),
    provider: 'anthropic',
    usage: tokenUsage({
      input: plusParts(countOf(attributes, 'input_tokens'), cacheRead, cacheWrite),
      output: countOf(attributes, 'output_tokens'),
      cacheRead,
      cacheWrite,
      costUsd: numberOf(attributes, 'cost_usd'),
    }),
    error: name === 'claude_code.api_error' ? failureIn(log, 'APIError') : undefined,
    extras: { responseId: requestId, httpStatus: textOf(attributes, 'status_code'), attempt: countOf(attributes, 'attempt') },
  })
  return { ...times, id: `step:${requestId ?? timeNanos}`, mapped }
}

function toolOf(log: LogView) {
  const { attributes } = log
  const parameters = contentOf(attributes, 'tool_input', 'tool_parameters')
  return drawnByName(DIALECT, 'tool', textOf(attributes, 'tool_name') ?? 'tool', {
    toolCallId: textOf(attributes, 'tool_use_id'),
    input: parameters,
    output: contentOf(attributes, 'tool_output', 'output'),
    error: flagOf(attributes, 'success') === false ? failureIn(log, 'ToolError') : undefined,
    extras: { decision: textOf(attributes, 'decision_type', 'decision') },
  })
}

/** The error that a record of a failure tells. */
export function failureIn({ attributes }: Pick<LogView, 'attributes'>, name: string) {
  return {
    name: textOf(attributes, 'error_type', 'error_class') ?? name,
    message: textOf(attributes, 'error', 'error_message') ?? 'The call ended without success and said nothing more.',
  }
}
