import type { Command } from 'commander'
import type { Cli } from '../cli.ts'
import type { DemoFlags } from '../demo/demo.ts'
import { examples, GROUPS } from '../help.ts'
import { databaseOption } from '../options.ts'

export function addDemo(program: Command, cli: Cli): void {
  program
    .command('demo')
    .helpGroup(GROUPS.watch)
    .summary('see it debug a planted bug; no key, no set-up')
    .description(
      'Play a recorded run of a trip planner with a planted bug: one tool turns an exchange rate upside down, and two steps later the budget check throws. The call is really held: inject, continue, retry or abort it, and the run goes on as you chose. Uses the server that is running, or starts one and keeps it up until Ctrl+C.',
    )
    .option('--live', 'run the real demo agent with your ANTHROPIC_API_KEY or OPENAI_API_KEY in place of the recording')
    .option('--port <n>', 'port of the server to use or to start (default 4747)')
    .addOption(databaseOption())
    .option('--open', 'open a browser also where none is expected')
    .option('--no-open', 'do not open a browser')
    .addHelpText(
      'after',
      examples(
        [
          ['graphmind demo', 'the recording'],
          ['graphmind demo --live', 'the agent itself, with a real model (needs a checkout, or GRAPHMIND_DEMO_AGENT_DIR)'],
        ],
        'in the viewer press Inject, give {"withinBudget": true}, and read the answer of the agent.',
      ),
    )
    .action((flags: DemoFlags) => cli.perform(async () => (await import('../demo/demo.ts')).demo(flags, cli)))
}
