import type { Command } from 'commander'
import type { Cli } from '../cli.ts'
import { examples, GROUPS } from '../help.ts'
import type { InitFlags } from '../init/init.ts'
import { jsonOption } from '../options.ts'

export function addInit(program: Command, cli: Cli): void {
  program
    .command('init')
    .helpGroup(GROUPS.watch)
    .summary('say what a project needs to show up here')
    .description(
      'Name the frameworks of a Node or Python project and print what it needs to show up in GraphMind. Nothing is written without --write, and nothing installed without --install.',
    )
    .argument('[dir]', "the project's folder (default the current one)")
    .option('--write', 'write the file, and the script and dependencies in package.json')
    .option('--install', "run the install command, with the project's own package manager")
    .addOption(jsonOption('the plan as JSON'))
    .addHelpText(
      'after',
      examples(
        [
          ['graphmind init', 'what this project needs'],
          ['graphmind init ./agent --write --install', 'do it'],
        ],
        'graphmind doctor tells why a program does not show up.',
      ),
    )
    .action((dir: string | undefined, flags: InitFlags) => cli.perform(async () => (await import('../init/init.ts')).init(dir, flags, cli)))
}
