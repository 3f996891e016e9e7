import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import type * as z from 'zod'
import { VERSION } from '../../version.ts'
import { toolAnswer, UNTRUSTED } from './answer.ts'
import type { ToolContext } from './context.ts'
import { diffRuns } from './tools/diff-runs.ts'
import { findErrors } from './tools/find-errors.ts'
import { getNode } from './tools/get-node.ts'
import { getRun } from './tools/get-run.ts'
import { listPauses } from './tools/list-pauses.ts'
import { listRuns } from './tools/list-runs.ts'
import { resumePause } from './tools/resume-pause.ts'
import { searchRuns } from './tools/search-runs.ts'
import { setBreakpoint } from './tools/set-breakpoint.ts'
import type { Tool } from './tools/tool.ts'

const INSTRUCTIONS = `GraphMind records runs of AI agents. Start with find_errors or list_runs, go on with get_run and get_node. ${UNTRUSTED}`

/** The MCP server over the recorded runs. The tools that change running programs are there only when they were allowed. */
export function createMcpServer(context: ToolContext, allowControl: boolean): McpServer {
  const server = new McpServer({ name: 'graphmind', title: 'GraphMind', version: VERSION }, { instructions: INSTRUCTIONS })
  add(server, listRuns, context)
  add(server, getRun, context)
  add(server, getNode, context)
  add(server, findErrors, context)
  add(server, searchRuns, context)
  add(server, diffRuns, context)
  add(server, listPauses, context)
  if (allowControl) {
    add(server, resumePause, context)
    add(server, setBreakpoint, context)
  }
  return server
}

function add<Shape extends z.ZodRawShape>(server: McpServer, tool: Tool<Shape>, context: ToolContext): void {
  const { name, title, description, input, annotations, run } = tool
  server.registerTool(name, { title, description, inputSchema: input as z.ZodRawShape, annotations }, async (given: unknown) =>
    // The SDK has checked it against the shape.
    toolAnswer(await run(given as z.output<z.ZodObject<Shape>>, context)),
  )
}
