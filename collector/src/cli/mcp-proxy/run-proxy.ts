import { ok, type Result } from '../../problem.ts'
import { DEFAULT_MAX_FRAME_BYTES } from '../../proxies/mcp/frames.ts'
import { runMcpProxy } from '../../proxies/mcp/mcp-proxy.ts'
import type { Cli } from '../cli.ts'
import { readPort } from '../settings.ts'

export interface McpProxyFlags {
  readonly trace?: boolean
  readonly waitForAttach?: boolean
  readonly inheritStderr?: boolean
  readonly maxFrameBytes?: number
  readonly port?: string
}

/** Runs the wrapped server until it is gone; the answer is its exit code. */
export async function mcpProxy(
  [command = '', ...args]: readonly string[],
  flags: McpProxyFlags,
  { environment, interrupted }: Cli,
): Promise<Result<number>> {
  const port = readPort(flags.port)
  if (!port.ok) return port
  // Here stdout is the protocol: a client that hangs up ends the session in order, not the process at once.
  process.stdout.removeAllListeners('error')
  const exitCode = await runMcpProxy(
    { command, args },
    {
      trace: flags.trace === true,
      waitForAttach: flags.waitForAttach === true,
      inheritStderr: flags.inheritStderr === true,
      maxFrameBytes: flags.maxFrameBytes ?? DEFAULT_MAX_FRAME_BYTES,
      port: flags.port === undefined ? undefined : port.value,
    },
    { stdin: process.stdin, stdout: process.stdout, stderr: process.stderr, environment, interrupted: interrupted() },
  )
  return ok(exitCode)
}
