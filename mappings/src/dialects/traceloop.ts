import type { Dialect } from '../dialect.ts'
import { operationOf } from '../gen-ai/facts.ts'
import { mcpNode, mcpSession } from '../gen-ai/mcp.ts'
import type { MappedSpan } from '../mapped-span.ts'
import { hasAny, textOf } from '../read/attribute.ts'
import { asContent, contentOf } from '../read/content.ts'
import { answerIn, questionIn } from '../read/conversation.ts'
import { drawn, drawnByName, EMBEDDING_TWINS, hidden, type NodeFields } from '../read/drawn.ts'
import { failureOf } from '../read/failure.ts'
import { ASSOCIATION, conventionalGrouping, GROUPING_KEYS } from '../read/grouping.ts'
import { isRecord } from '../read/is-record.ts'
import { isLangChainPlumbing, unwrapLangChain } from '../read/langchain.ts'
import { stableName } from '../read/stable-name.ts'
import { firstPresent, firstText } from '../read/tool-call.ts'
import { toolFailureOf } from '../read/tool-failure.ts'
import type { SpanView } from '../span-view.ts'

const DIALECT = 'traceloop'

/** OpenLLMetry's entities: workflows, tasks, agents and tools a program names, and the frameworks it wraps. */
export const traceloop: Dialect = {
  name: DIALECT,
  claims: (span) =>
    hasAny(span.attributes, 'traceloop.span.kind', 'traceloop.entity.name', 'traceloop.entity.input', 'db.vector.query.top_k') ||
    isMcp(span),
  map: mapTraceloop,
  metadataKeys: [
    'traceloop.span.kind',
    'traceloop.entity.name',
    'traceloop.entity.path',
    'traceloop.entity.version',
    'traceloop.workflow.name',
    ...GROUPING_KEYS.map((key) => ASSOCIATION + key),
    'db.vector.query.top_k',
  ],
}

function mapTraceloop(span: SpanView): MappedSpan {
  const { attributes } = span
  const kind = textOf(attributes, 'traceloop.span.kind')
  const input = entityInput(contentOf(attributes, 'traceloop.entity.input'))
  const output = entityOutput(contentOf(attributes, 'traceloop.entity.output'))
  const name = entityName(span)
  const fields = { run: conventionalGrouping(attributes), input, output, error: failureOf(span) }
  if (isMcp(span)) return mapMcpSpan(span, fields)
  if (kind === 'tool' || operationOf(span) === 'execute_tool') return mapTool(span, name, fields)
  if (kind === 'agent' || /^(CompiledStateGraph|LangGraph)$/.test(name)) {
    return drawnByName(DIALECT, 'agent', name, { ...fields, input: questionIn(input), output: answerIn(output) })
  }
  if (isLangChainPlumbing(name)) return hidden(DIALECT, span.name, { run: fields.run })
  // LlamaIndex' query engine only passes the question on to its retriever.
  if (/query_engine\.retrieve$/.test(name)) return hidden(DIALECT, span.name, { run: fields.run })
  if (/\.retrieve$/.test(name) || isVectorSearch(span)) return drawnByName(DIALECT, 'retriever', name, fields)
  if (/embedding/i.test(name)) {
    return drawn(DIALECT, 'custom', `custom:${name}`, name, { twinClass: EMBEDDING_TWINS, ...fields, output: vectorNote(output) })
  }
  return drawnByName(DIALECT, 'chain', name, {
    ...fields,
    output: answerIn(isRecord(output) && isRecord(output['message']) ? [output['message']] : output),
  })
}

function mapTool(span: SpanView, name: string, fields: NodeFields): MappedSpan {
  const request = fields.input
  const answer = unwrapLangChain(fields.output)
  const isToolMessage = isRecord(answer) && answer['role'] === 'tool'
  const isMcpAnswer = isRecord(request) && 'tool_name' in request && isRecord(answer) && 'result' in answer
  // LangChain's tools are all called like their class; the message a tool answers with has its name.
  const realName = isToolMessage && /Tool$/.test(name) ? firstText(answer['name']) : undefined
  return drawnByName(DIALECT, 'tool', realName ?? name, {
    ...fields,
    input: isMcpAnswer ? request['arguments'] : request,
    output: isToolMessage ? asContent(firstText(answer['content'])) : isMcpAnswer ? mcpResult(answer['result']) : fields.output,
    toolCallId: isToolMessage ? firstText(answer['tool_call_id']) : textOf(span.attributes, 'gen_ai.tool.call.id'),
    error: fields.error ?? toolFailureOf(answer),
  })
}

function mcpResult(result: unknown): unknown {
  return typeof result === 'string' ? asContent(result) : result
}

/** Traceloop's MCP client names its spans `<method>.mcp`, its tool calls like any tool. */
function mapMcpSpan(span: SpanView, fields: NodeFields): MappedSpan {
  if (textOf(span.attributes, 'traceloop.span.kind') === 'session') return mcpSession(DIALECT, fields)
  const method = span.name.replace(/\.mcp$/, '')
  const request = isRecord(fields.input) ? fields.input : {}
  const prompt = firstText(request['name'])
  return mcpNode(
    DIALECT,
    method,
    { uri: firstText(request['uri']), prompt },
    method === 'prompts/get' ? { ...fields, input: request['arguments'] } : fields,
  )
}

function isMcp(span: SpanView): boolean {
  return span.name.endsWith('.mcp') || textOf(span.attributes, 'traceloop.span.kind') === 'session'
}

function isVectorSearch(span: SpanView): boolean {
  return hasAny(span.attributes, 'db.vector.query.top_k') || span.events.some((event) => event.name === 'db.query.result')
}

function entityName(span: SpanView): string {
  const { attributes } = span
  const named =
    textOf(attributes, 'traceloop.entity.name') ??
    (textOf(attributes, 'traceloop.span.kind') === 'workflow' ? textOf(attributes, 'traceloop.workflow.name') : undefined)
  return stableName(named ?? span.name.replace(/\.(workflow|task|agent|tool)$/, ''))
}

/** `{args, kwargs}` of the wrapped function: one argument stands for itself. LangChain in Python says `{inputs, …}`. */
function entityInput(value: unknown): unknown {
  if (!isRecord(value)) return value
  if ('inputs' in value) return unwrapLangChain(value['inputs'])
  if (!('args' in value) && !('kwargs' in value)) return unwrapLangChain(value)
  const list = Array.isArray(value['args']) ? value['args'] : []
  const named = isRecord(value['kwargs']) && Object.keys(value['kwargs']).length > 0 ? value['kwargs'] : undefined
  if (list.length === 0) return named
  if (named !== undefined || list.length > 1) return value
  const [only] = list
  return unwrapLangChain(typeof only === 'string' ? asContent(only) : only)
}

function entityOutput(value: unknown): unknown {
  return isRecord(value) && 'outputs' in value ? unwrapLangChain(firstPresent(value['outputs'])) : unwrapLangChain(value)
}

function vectorNote(output: unknown): unknown {
  return Array.isArray(output) && typeof output[0] === 'number' ? { vectors: 1, dimensions: output.length } : undefined
}
