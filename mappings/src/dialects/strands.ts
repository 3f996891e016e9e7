import type { Dialect } from '../dialect.ts'
import { genAiContent } from '../gen-ai/content.ts'
import { operationOf, targetOf } from '../gen-ai/facts.ts'
import { genAiAgent, genAiStep, genAiTool } from '../gen-ai/nodes.ts'
import type { MappedSpan } from '../mapped-span.ts'
import { textOf } from '../read/attribute.ts'
import { contentOf } from '../read/content.ts'
import { finalAnswer, lastQuestion } from '../read/conversation.ts'
import { defined } from '../read/defined.ts'
import { drawn, drawnByName, hidden } from '../read/drawn.ts'
import { failureOf } from '../read/failure.ts'
import { conventionalGrouping } from '../read/grouping.ts'
import { resultOfBlocks } from '../read/result-blocks.ts'
import { stableName } from '../read/stable-name.ts'
import type { SpanView } from '../span-view.ts'
import { mapOperation } from './otel-genai.ts'

const DIALECT = 'strands'

/** Strands Agents: GenAI conventions with Bedrock's content blocks; `strands-agents` is the framework, not the provider. */
export const strands: Dialect = {
  name: DIALECT,
  claims: (span) =>
    /^strands[-.]/.test(span.scope.name) || textOf(span.attributes, 'gen_ai.system', 'gen_ai.provider.name') === 'strands-agents',
  map: mapStrands,
  metadataKeys: ['agent_loop.cycle_id', 'event_loop.cycle_id', 'gen_ai.event.start_time', 'gen_ai.event.end_time', 'gen_ai.tool.status'],
}

function mapStrands(span: SpanView): MappedSpan {
  const { attributes } = span
  const run = conventionalGrouping(attributes)
  switch (operationOf(span)) {
    case 'chat':
      return genAiStep(DIALECT, span, { provider: undefined })
    case 'execute_tool':
      return mapTool(span)
    case 'invoke_agent':
      return genAiAgent(DIALECT, span, { extras: defined({ system: contentOf(attributes, 'system_prompt') }) })
    case undefined:
      break
    default:
      return mapOperation(DIALECT, span)
  }
  if (/^execute_(agent|event)_loop_cycle/.test(span.name)) return hidden(DIALECT, span.name, { run })
  const content = genAiContent(span)
  const fields = { run, error: failureOf(span), input: lastQuestion(content.input), output: finalAnswer(content.output) }
  if (/^(invoke_\w+|node) /.test(span.name)) return drawnByName(DIALECT, 'chain', stableName(targetOf(span) ?? span.name), fields)
  const name = stableName(span.name)
  return drawn(DIALECT, 'custom', `custom:${name}`, name, fields)
}

/** Arguments and result are the content of a tool message and a choice, unless the newest attributes are there. */
function mapTool(span: SpanView): MappedSpan {
  const event = (name: string, key: string) => {
    const found = span.events.find((candidate) => candidate.name === name)
    return found && contentOf(found.attributes, key)
  }
  const output = contentOf(span.attributes, 'gen_ai.tool.call.result') ?? event('gen_ai.choice', 'message')
  const error = failureOf(span)
  return genAiTool(DIALECT, span, {
    ...defined({
      input: contentOf(span.attributes, 'gen_ai.tool.call.arguments') ?? event('gen_ai.tool.message', 'content'),
      output: resultOfBlocks(output),
      error: error ?? statusFailure(span, resultOfBlocks(output)),
    }),
  })
}

function statusFailure(span: SpanView, output: unknown) {
  if (textOf(span.attributes, 'gen_ai.tool.status') !== 'error') return undefined
  return { name: 'ToolError', message: typeof output === 'string' ? output : 'The tool ended with status error.' }
}
