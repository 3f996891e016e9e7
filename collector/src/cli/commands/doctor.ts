import type { Command } from 'commander'
import type { Cli } from '../cli.ts'
import type { DoctorFlags } from '../doctor/doctor.ts'
import { examples, GROUPS } from '../help.ts'
import { databaseOption, jsonOption } from '../options.ts'

export function addDoctor(program: Command, cli: Cli): void {
  program
    .command('doctor')
    .helpGroup(GROUPS.more)
    .summary('say why a program does not show up')
    .description(
      'Look at ports, versions, the database, and the exporter settings of this shell and folder, and say what to do about each. Changes nothing.',
    )
    .option('--port <n>', 'port of the server (default $GRAPHMIND_URL, else 4747)')
    .addOption(databaseOption())
    .addOption(jsonOption('every check as JSON'))
    .addHelpText(
      'after',
      examples(
        [
          ['graphmind doctor', 'in the shell and folder that your program starts from'],
          ['graphmind doctor --json', '{ok, checks: [{name, status, message, fix}]}; exit code 1 with a problem'],
        ],
        'do what it says after each arrow, and run it again.',
      ),
    )
    .action((flags: DoctorFlags) => cli.perform(async () => (await import('../doctor/doctor.ts')).doctor(flags, cli)))
}
