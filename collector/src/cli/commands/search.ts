import type { Command } from 'commander'
import type { Cli } from '../cli.ts'
import { examples, GROUPS } from '../help.ts'
import { databaseOption, jsonOption } from '../options.ts'
import type { SearchFlags } from '../search/search.ts'

export function addSearch(program: Command, cli: Cli): void {
  program
    .command('search')
    .helpGroup(GROUPS.recorded)
    .summary('find words in names, inputs, outputs and errors of all runs')
    .description('Find calls of all runs whose name, input, output or error has all these words, the newest first.')
    .argument('<words...>', 'words or their beginnings; a text in quotes stands as it is written')
    .option('--run <runId>', 'in one run')
    .option('--kind <kinds>', 'node kinds, parted by commas: llm,tool')
    .option('--in <fields>', 'name, input, output, error, parted by commas (default all)')
    .option('--limit <n>', 'how many, at most 100 (default 20)')
    .option('--cursor <cursor>', 'the next page, from nextCursor of --json')
    .addOption(databaseOption())
    .addOption(jsonOption('{hits, nextCursor, index}, as GET /api/search answers'))
    .addHelpText(
      'after',
      examples(
        [
          ['graphmind search currency', 'everywhere'],
          ["graphmind search 'exchange rate' --in output --kind tool", 'this text, in what tools gave'],
        ],
        'open a link it prints while graphmind serve runs.',
      ),
    )
    .action((words: string[], flags: SearchFlags) =>
      cli.perform(async () => (await import('../search/search.ts')).searchRuns(words, flags, cli)),
    )
}
