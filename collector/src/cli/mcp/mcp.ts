import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { ok, type Result } from '../../problem.ts'
import type { Cli } from '../cli.ts'
import type { RecordsFlags } from '../runs/records.ts'
import { createMcpServer } from './server.ts'

export interface McpFlags extends RecordsFlags {
  readonly allowControl?: boolean
}

/** `graphmind mcp`: serves recorded runs over stdin and stdout until the client goes away. */
export async function serveMcp(flags: McpFlags, { environment, interrupted }: Cli): Promise<Result<undefined>> {
  const server = createMcpServer({ flags, environment }, flags.allowControl === true)
  const gone = new Promise<void>((resolve) => process.stdin.once('end', resolve).once('close', resolve))
  await server.connect(new StdioServerTransport())
  await Promise.race([gone, interrupted()])
  await server.close()
  return ok(undefined)
}
