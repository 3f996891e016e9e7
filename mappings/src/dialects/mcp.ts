import type { ErrorInfo } from '@graphmind-ai/schema'
import type { Dialect } from '../dialect.ts'
import { mcpNode } from '../gen-ai/mcp.ts'
import type { MappedSpan } from '../mapped-span.ts'
import { flagOf, textOf, withPrefix } from '../read/attribute.ts'
import { asContent, contentOf } from '../read/content.ts'
import { failureOf } from '../read/failure.ts'
import { conventionalGrouping } from '../read/grouping.ts'
import { toolFailureOf } from '../read/tool-failure.ts'
import type { Attributes, SpanView } from '../span-view.ts'

const DIALECT = 'mcp'
const ARGUMENT = 'mcp.request.argument.'

/** The MCP conventions on both sides, and Sentry's spans of MCP servers, by `mcp.method.name`. */
export const mcp: Dialect = {
  name: DIALECT,
  claims: (span) => typeof span.attributes['mcp.method.name'] === 'string' && span.attributes['mcp.method.name'] !== '',
  map: mapMcp,
  metadataKeys: [
    'mcp.method.name',
    'mcp.session.id',
    'mcp.protocol.version',
    'mcp.request.id',
    'mcp.tool.name',
    'mcp.prompt.name',
    'mcp.transport',
    'mcp.client.*',
    'mcp.server.*',
    'mcp.tool.result.is_error',
    'mcp.tool.result.content_type',
    'mcp.tool.result.content_count',
    'jsonrpc.request.id',
    'rpc.response.status_code',
    'gen_ai.prompt.name',
  ],
}

function mapMcp(span: SpanView): MappedSpan {
  const { attributes } = span
  const method = textOf(attributes, 'mcp.method.name') ?? ''
  const output = contentOf(attributes, 'gen_ai.tool.call.result', 'mcp.tool.result.content', 'mcp.prompt.result.message_content')
  const target = {
    tool: textOf(attributes, 'gen_ai.tool.name', 'mcp.tool.name'),
    uri: textOf(attributes, 'mcp.resource.uri'),
    prompt: textOf(attributes, 'gen_ai.prompt.name', 'mcp.prompt.name'),
  }
  return mcpNode(DIALECT, method, target, {
    run: conventionalGrouping(attributes),
    toolCallId: textOf(attributes, 'gen_ai.tool.call.id'),
    input: contentOf(attributes, 'gen_ai.tool.call.arguments') ?? argumentsOf(attributes),
    output,
    error: failureOfRequest(span, output),
    extras: {
      method,
      session: textOf(attributes, 'mcp.session.id'),
      requestId: textOf(attributes, 'jsonrpc.request.id', 'mcp.request.id'),
      protocolVersion: textOf(attributes, 'mcp.protocol.version'),
      transport: textOf(attributes, 'mcp.transport', 'network.transport'),
      server: textOf(attributes, 'mcp.server.name'),
      client: textOf(attributes, 'mcp.client.name'),
    },
  })
}

/** Sentry flattens the arguments, each as JSON text. */
function argumentsOf(attributes: Attributes): unknown {
  const found = withPrefix(attributes, ARGUMENT)
  return found.length > 0 ? Object.fromEntries(found.map(([name, value]) => [name, asContent(value)])) : undefined
}

/** A failing tool is a successful answer that says isError; its text says more than a status like `internal_error`. */
function failureOfRequest(span: SpanView, output: unknown): ErrorInfo | undefined {
  if (flagOf(span.attributes, 'mcp.tool.result.is_error')) return toolFailureOf({ isError: true, content: output })
  return toolFailureOf(output) ?? failureOf(span)
}
