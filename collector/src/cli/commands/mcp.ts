import type { Command } from 'commander'
import type { Cli } from '../cli.ts'
import { examples, GROUPS } from '../help.ts'
import type { McpFlags } from '../mcp/mcp.ts'
import { databaseOption } from '../options.ts'

export function addMcp(program: Command, cli: Cli): void {
  program
    .command('mcp')
    .helpGroup(GROUPS.agents)
    .summary('let a coding agent read recorded runs over MCP')
    .description(
      'Serve recorded runs to MCP clients (Claude Code, Cursor, …) over stdio: list_runs, get_run, get_node, find_errors, search_runs, diff_runs, list_pauses. Reads the database, so it works while no server runs.',
    )
    .option('--allow-control', 'also resume_pause and set_breakpoint, as far as graphmind serve --allow-control lets them')
    .option('--port <n>', 'port of the server, and for links when none is running (default 4747)')
    .addOption(databaseOption())
    .addHelpText(
      'after',
      examples(
        [
          ['claude mcp add graphmind -- npx -y graphmind-ai mcp', 'in Claude Code'],
          ['graphmind mcp --allow-control', 'let the agent hold and release calls'],
        ],
        'ask the agent why the last run failed.',
      ),
    )
    .action((flags: McpFlags) => cli.perform(async () => (await import('../mcp/mcp.ts')).serveMcp(flags, cli)))
}
