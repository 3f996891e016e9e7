import type { Command } from 'commander'
import type { Cli } from '../cli.ts'
import { examples, GROUPS } from '../help.ts'
import { databaseOption } from '../options.ts'
import type { RemapFlags } from '../remap/remap-runs.ts'

export function addRemap(program: Command, cli: Cli): void {
  program
    .command('remap')
    .helpGroup(GROUPS.recorded)
    .summary('derive the events of runs anew, after a mapping got better')
    .description('Derive the events of runs anew from their raw spans, after a mapping got better. Nothing recorded is lost.')
    .argument('[runIds...]', 'the runs (default all)')
    .addOption(databaseOption())
    .addHelpText(
      'after',
      examples(
        [
          ['graphmind remap', 'every run'],
          ['graphmind remap 4bf92f3577b34da6a3ce929d0e0e4736', 'one run'],
        ],
        'graphmind runs shows what became of them.',
      ),
    )
    .action((runIds: string[], flags: RemapFlags) =>
      cli.perform(async () => (await import('../remap/remap-runs.ts')).remapRuns(runIds, flags, cli)),
    )
}
