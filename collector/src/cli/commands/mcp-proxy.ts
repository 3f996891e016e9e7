import { type Command, InvalidArgumentError } from 'commander'
import type { Cli } from '../cli.ts'
import { examples, GROUPS } from '../help.ts'
import type { McpProxyFlags } from '../mcp-proxy/run-proxy.ts'

export function addMcpProxy(program: Command, cli: Cli): void {
  program
    .command('mcp-proxy')
    .helpGroup(GROUPS.watch)
    .summary('debug any MCP server: put this in front of its command')
    .description(
      'Start an MCP server behind a relay that shows its session and can hold, replace and repeat its calls. The server needs no change; without GraphMind it is a plain relay.',
    )
    .argument('<command...>', "the server's command, after --")
    .option('--trace', 'print a line for each relayed frame on stderr')
    .option('--wait-for-attach', 'hold the first frame for up to 3 s, so that initialize can be held too')
    .option('--inherit-stderr', 'give the server the real stderr; its log does not reach the graph then')
    .option('--max-frame-bytes <n>', 'largest frame that is looked into (default 64 MiB)', readBytes)
    .option('--port <n>', 'port of GraphMind (default $GRAPHMIND_URL, else 4747)')
    .addHelpText(
      'after',
      examples(
        [
          ['graphmind mcp-proxy -- node my-server.js', 'a server of your own'],
          ['graphmind mcp-proxy --trace -- npx -y some-mcp-server', 'one from npm, with a line a frame'],
        ],
        'put it into your MCP client’s configuration in place of the command (docs/proxies.md).',
      ),
    )
    .action((commandLine: string[], flags: McpProxyFlags) =>
      cli.perform(async () => (await import('../mcp-proxy/run-proxy.ts')).mcpProxy(commandLine, flags, cli)),
    )
}

function readBytes(text: string): number {
  if (!/^[1-9]\d{0,11}$/.test(text)) throw new InvalidArgumentError('It takes a number of bytes, 1 or more.')
  return Number(text)
}
