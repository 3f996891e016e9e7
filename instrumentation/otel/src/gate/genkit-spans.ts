import type { GateSite } from './gate-site.ts'
import type { SpanShape } from './gating-tracer.ts'
import { answerParts, isPart } from './model-answer.ts'

/** Genkit's tracer. All its spans run awaited work. */
const SCOPE = 'genkit-tracer'

export function isGenkitScope(scope: string): boolean {
  return scope === SCOPE
}

const ALL = ['continue', 'retry', 'inject', 'abort'] as const
const EVERYWHERE: SpanShape['actions'] = { before: ['continue', 'inject', 'abort'], after: ALL, error: ALL }

const TOOL: SpanShape = { actions: EVERYWHERE, inject: (output) => output }
const MODEL: SpanShape = { actions: EVERYWHERE, inject: answer }

/** How a span of Genkit is answered: a tool with its value, a model with a generate response. */
export function genkitShape(site: GateSite): SpanShape {
  return site.kind === 'llm' ? MODEL : TOOL
}

function answer(output: unknown): unknown {
  if (isPart(output) && isPart(output['message'])) return output
  const parts = answerParts(output)
  const content = parts.map((part) =>
    part['type'] === 'tool-call'
      ? { toolRequest: { name: part['toolName'], ref: part['toolCallId'], input: parsed(part['input']) } }
      : { text: String(part['text'] ?? '') },
  )
  return { message: { role: 'model', content }, finishReason: 'stop', usage: {} }
}

function parsed(input: unknown): unknown {
  if (typeof input !== 'string') return input
  try {
    const value: unknown = JSON.parse(input)
    return value
  } catch {
    return input // A tool may take a plain text.
  }
}
