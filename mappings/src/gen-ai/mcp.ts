import type { MappedNode } from '../mapped-span.ts'
import { drawn, drawnByName, type NodeFields } from '../read/drawn.ts'

/** What an MCP request is about, as far as the span tells. */
export interface McpTarget {
  readonly tool?: string | undefined
  readonly uri?: string | undefined
  readonly prompt?: string | undefined
}

/** A node for one MCP request, named by the contract's table; client and server span of one request are twins. */
export function mcpNode(dialect: string, method: string, target: McpTarget, fields: NodeFields): MappedNode {
  if (method === 'tools/call' && target.tool !== undefined) return drawnByName(dialect, 'tool', target.tool, fields)
  const twins = { twinClass: `mcp:${method}`, ...fields }
  if (method === 'resources/read' && target.uri !== undefined) return drawnByName(dialect, 'resource', target.uri, twins)
  if (method === 'prompts/get' && target.prompt !== undefined) return drawnByName(dialect, 'prompt', target.prompt, twins)
  if (method === 'sampling/createMessage') return drawn(dialect, 'llm', 'llm:sampling', 'sampling', twins)
  return drawn(dialect, 'custom', `mcp:${method}`, method, twins)
}

/** An MCP session as a whole. */
export function mcpSession(dialect: string, fields: NodeFields): MappedNode {
  return drawn(dialect, 'server', 'mcp:session', 'session', fields)
}
