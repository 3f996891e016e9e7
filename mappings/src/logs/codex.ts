import { countOf, flagOf, textOf } from '../read/attribute.ts'
import { contentOf } from '../read/content.ts'
import { defined } from '../read/defined.ts'
import { drawnByName, drawnStep } from '../read/drawn.ts'
import { tokenUsage } from '../read/usage.ts'
import { type DerivedNode, inOrder, startOf } from './derived-node.ts'
import type { LogView } from './log-view.ts'

const DIALECT = 'codex'

interface Turn {
  readonly id: string
  readonly prompt: LogView | undefined
  readonly startNanos: bigint
  readonly events: LogView[]
}

/** Codex CLI: a turn from one prompt to the next, its model steps up to `response.completed`, its tools by `tool_result`. */
export function codexNodes(logs: readonly LogView[]): readonly DerivedNode[] {
  const turns = turnsOf(inOrder(logs))
  return turns.flatMap((turn, index) => nodesOf(turn, index < turns.length - 1))
}

function turnsOf(logs: readonly LogView[]): readonly Turn[] {
  const turns: Turn[] = []
  for (const log of logs) {
    const isPrompt = log.name === 'codex.user_prompt'
    if (isPrompt) turns.push({ id: `turn:${log.timeNanos}`, prompt: log, startNanos: log.timeNanos, events: [] })
    // Before the first prompt a session only says how it is set up; work that comes without a prompt is a turn all the same.
    else if (turns.length === 0 && isWork(log)) turns.push({ id: 'turn:first', prompt: undefined, startNanos: startOf(log), events: [log] })
    else turns.at(-1)?.events.push(log)
  }
  return turns
}

function isWork({ name }: LogView): boolean {
  return /^codex\.(api_request|sse_event|tool_decision|tool_result)$/.test(name)
}

function nodesOf(turn: Turn, isOver: boolean): readonly DerivedNode[] {
  const steps: DerivedNode[] = []
  let asked = turn.startNanos
  let requested: bigint | undefined
  for (const log of turn.events) {
    if (log.name === 'codex.api_request') requested ??= startOf(log)
    if (log.name === 'codex.tool_result') {
      steps.push(toolOf(log, turn.id))
      asked = log.timeNanos
    }
    if (isCompleted(log)) {
      steps.push(stepOf(log, turn.id, requested ?? asked))
      requested = undefined
    }
  }
  const last = turn.events.findLast(isWork)
  const end = last?.timeNanos ?? turn.startNanos
  const answered = last !== undefined && isCompleted(last)
  return [agentOf(turn, isOver || answered ? end : undefined), ...steps]
}

function agentOf({ id, prompt, startNanos, events }: Turn, endNanos: bigint | undefined): DerivedNode {
  const any = prompt ?? events[0]
  const sessionId = any && textOf(any.attributes, 'conversation.id')
  const mapped = drawnByName(DIALECT, 'agent', 'codex', {
    run: defined({ name: 'codex', sessionId }),
    input: prompt && textOf(prompt.attributes, 'prompt'),
    extras: any && { model: textOf(any.attributes, 'model'), approvalPolicy: textOf(any.attributes, 'approval_policy') },
  })
  return { id, parentId: undefined, startNanos, endNanos, mapped }
}

function isCompleted(log: LogView): boolean {
  return log.name === 'codex.sse_event' && textOf(log.attributes, 'event.kind') === 'response.completed'
}

function stepOf(log: LogView, parentId: string, startNanos: bigint): DerivedNode {
  const { attributes, timeNanos } = log
  const count = (key: string) => countOf(attributes, key)
  const mapped = drawnStep(DIALECT, {
    model: textOf(attributes, 'model'),
    usage: tokenUsage({
      input: count('input_token_count'),
      output: count('output_token_count'),
      cacheRead: count('cached_token_count'),
      reasoning: count('reasoning_token_count'),
    }),
  })
  return { id: `step:${timeNanos}`, parentId, startNanos, endNanos: timeNanos, mapped }
}

function toolOf(log: LogView, parentId: string): DerivedNode {
  const { attributes, timeNanos } = log
  const output = contentOf(attributes, 'output')
  const failed = flagOf(attributes, 'success') === false
  const id = textOf(attributes, 'call_id')
  const mapped = drawnByName(DIALECT, 'tool', textOf(attributes, 'tool_name') ?? 'tool', {
    toolCallId: id,
    input: contentOf(attributes, 'arguments'),
    output: failed ? undefined : output,
    error: failed ? { name: 'ToolError', message: typeof output === 'string' ? output : 'The tool ended without success.' } : undefined,
    extras: { mcpServer: textOf(attributes, 'mcp_server') },
  })
  return { id: `call:${id ?? timeNanos}`, parentId, startNanos: startOf(log), endNanos: timeNanos, mapped }
}
