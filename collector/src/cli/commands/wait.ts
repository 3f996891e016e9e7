import type { Command } from 'commander'
import type { Cli } from '../cli.ts'
import type { WaitFlags } from '../held/wait.ts'
import { examples, GROUPS } from '../help.ts'
import { databaseOption, jsonOption, serverPortOption } from '../options.ts'

export function addWait(program: Command, cli: Cli): void {
  program
    .command('wait')
    .helpGroup(GROUPS.held)
    .summary('wait until a call is held')
    .description(
      'Wait until a call is held, then print what it holds and the commands that let it go. Values over 2 KB go into a file of your own. Exit codes: 0 a call is held, 2 time is over, 3 no server, 4 the run has ended, 5 not authorised.',
    )
    .option('--run <runId>', 'wait for this run only; ends with 4 when it is over')
    .option('--timeout <seconds>', 'how long to wait, 0 for ever (default 90)')
    .addOption(serverPortOption())
    .addOption(databaseOption())
    .addOption(jsonOption('{runId, pauseId, node, point, reason, why, input, output, error, link, resume}'))
    .addHelpText(
      'after',
      examples(
        [
          ['graphmind wait', 'the next held call, or the oldest that is held already'],
          ['graphmind wait --timeout 0 --json', 'for a script that has time'],
        ],
        'run one of the graphmind resume commands it prints, or open its link.',
      ),
    )
    .action((flags: WaitFlags) => cli.perform(async () => (await import('../held/wait.ts')).waitForPause(flags, cli)))
}
