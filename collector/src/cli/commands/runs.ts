import type { Command } from 'commander'
import type { Cli } from '../cli.ts'
import { examples, GROUPS } from '../help.ts'
import { databaseOption, jsonOption } from '../options.ts'
import type { RunsFlags } from '../runs/runs.ts'

export function addRuns(program: Command, cli: Cli): void {
  program
    .command('runs')
    .helpGroup(GROUPS.recorded)
    .summary('list recorded runs, or remove some')
    .description('List recorded runs, newest first, or remove some of them. Running, held and pinned runs are never pruned or cleared.')
    .argument('[filter]', 'which runs, in the filter language of docs/http.md')
    .option('--limit <n>', 'how many, at most 1000 (default 20)')
    .option('--cursor <cursor>', 'the next page, from nextCursor of --json')
    .option('--rm <runIds...>', 'remove these runs')
    .option('--prune', 'remove old runs: those beyond --keep or --days, else beyond GRAPHMIND_KEEP_RUNS and GRAPHMIND_KEEP_DAYS')
    .option('--keep <n>', 'with --prune: how many of the newest stay')
    .option('--days <n>', 'with --prune: how many days they stay')
    .option('--clear', 'remove all runs; needs --yes')
    .option('--dry-run', 'with --prune or --clear: only say which')
    .option('--yes', 'with --clear: mean it')
    .addOption(databaseOption())
    .addOption(jsonOption('{runs, nextCursor}'))
    .addHelpText(
      'after',
      examples(
        [
          ['graphmind runs', 'the newest 20'],
          ["graphmind runs 'state:error since:1d'", 'what failed since yesterday'],
          ['graphmind runs --rm 4bf92f3577b34da6a3ce929d0e0e4736', 'remove one'],
          ['graphmind runs --prune --keep 50 --dry-run', 'what would go if the newest 50 stay'],
        ],
        'graphmind search looks into all of them; graphmind export <runId> writes one to a file.',
      ),
    )
    .action((filter: string | undefined, flags: RunsFlags) =>
      cli.perform(async () => (await import('../runs/runs.ts')).runs(filter, flags, cli)),
    )
}
