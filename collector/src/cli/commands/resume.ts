import type { Command } from 'commander'
import type { Cli } from '../cli.ts'
import type { ResumeFlags } from '../held/resume.ts'
import { examples, GROUPS } from '../help.ts'
import { databaseOption, jsonOption, serverPortOption } from '../options.ts'

export function addResume(program: Command, cli: Cli): void {
  program
    .command('resume')
    .helpGroup(GROUPS.held)
    .summary('let a held call go on')
    .description(
      'Let a held call go on, and wait until its program says that it did. Exit codes: 0 it went on, 1 wrong use, 2 no answer in time, 3 no server, 4 not held any more, 5 not allowed (graphmind serve --allow-control), 6 refused and still held, 7 someone else was first.',
    )
    .argument('<pauseId>', 'the held call, as graphmind pauses and graphmind wait name it')
    .requiredOption('--action <action>', 'continue, retry, inject or abort')
    .option('--run <runId>', 'the run (default: the one that holds this call)')
    .option('--output <json>', 'with inject: the value that the call gives; @file reads it from a file')
    .option('--input <json>', 'with continue or retry: the changed input; @file reads it from a file')
    .option('--operator <label>', 'who lets it go, for the record; at most 64 characters')
    .option('--timeout <seconds>', 'how long to wait for the program’s answer, at most 120 (default 30)')
    .addOption(serverPortOption())
    .addOption(databaseOption())
    .addOption(jsonOption('the server’s answer {outcome, code, message}'))
    .addHelpText(
      'after',
      examples(
        [
          ['graphmind resume p-1 --action continue', 'as if it had not been held'],
          [`graphmind resume p-1 --action inject --output '{"total":1038}'`, 'give a value in place of the call'],
          ['graphmind resume p-1 --action retry --input @input.json', 'run it again with another input'],
        ],
        'graphmind wait for the next one.',
      ),
    )
    .action((pauseId: string, flags: ResumeFlags) =>
      cli.perform(async () => (await import('../held/resume.ts')).resume(pauseId, flags, cli)),
    )
}
