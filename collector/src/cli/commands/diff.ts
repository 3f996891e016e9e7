import type { Command } from 'commander'
import type { Cli } from '../cli.ts'
import type { DiffFlags } from '../diff/diff.ts'
import { examples, GROUPS } from '../help.ts'
import { databaseOption, jsonOption } from '../options.ts'

export function addDiff(program: Command, cli: Cli): void {
  program
    .command('diff')
    .helpGroup(GROUPS.recorded)
    .summary('compare two runs; the exit code says whether they differ')
    .description(
      'Compare two runs call by call: which calls came, went, or changed in status, error, model, input or output. Times and costs are told and count for nothing. Exit codes: 0 the same, 1 different, 2 could not compare.',
    )
    .argument('<left>', 'the run to compare with, as graphmind runs lists it')
    .argument('<right>', 'the run to look at')
    .option('--all', 'show calls that are the same, too')
    .addOption(databaseOption())
    .addOption(jsonOption('what GET /api/compare answers'))
    .addHelpText(
      'after',
      examples(
        [
          ['graphmind diff run-1 run-2', 'what differs'],
          ['graphmind diff run-1 run-2 --json', 'for CI, beside the exit code'],
        ],
        'graphmind export writes the payloads of both.',
      ),
    )
    .action((left: string, right: string, flags: DiffFlags) =>
      cli.perform(async () => (await import('../diff/diff.ts')).diff(left, right, flags, cli)),
    )
}
