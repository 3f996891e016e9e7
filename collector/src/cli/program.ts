import { styleText } from 'node:util'
import { Command } from 'commander'
import { VERSION } from '../version.ts'
import type { Cli } from './cli.ts'
import { addDemo } from './commands/demo.ts'
import { addDiff } from './commands/diff.ts'
import { addDoctor } from './commands/doctor.ts'
import { addExport } from './commands/export.ts'
import { addImport } from './commands/import.ts'
import { addInit } from './commands/init.ts'
import { addMcp } from './commands/mcp.ts'
import { addMcpProxy } from './commands/mcp-proxy.ts'
import { addPauses } from './commands/pauses.ts'
import { addRecord } from './commands/record.ts'
import { addRemap } from './commands/remap.ts'
import { addResume } from './commands/resume.ts'
import { addRuns } from './commands/runs.ts'
import { addSearch } from './commands/search.ts'
import { addServe } from './commands/serve.ts'
import { addSkill } from './commands/skill.ts'
import { addTrustGraphProxy } from './commands/trustgraph-proxy.ts'
import { addWait } from './commands/wait.ts'
import { examples, GROUPS } from './help.ts'

const COMMANDS = [
  addServe,
  addDemo,
  addInit,
  addPauses,
  addWait,
  addResume,
  addMcpProxy,
  addTrustGraphProxy,
  addRuns,
  addSearch,
  addDiff,
  addRecord,
  addImport,
  addExport,
  addRemap,
  addMcp,
  addSkill,
  addDoctor,
]

/** The whole command line. Parsing runs a command through `cli.perform`; what can't be parsed is a CommanderError. */
export function createProgram(cli: Cli): Command {
  const program = new Command('graphmind')
    .description('GraphMind: the live debugger for AI agents')
    .version(VERSION, '-v, --version', 'print the version and exit')
    .helpOption('-h, --help', 'show help')
    .commandsGroup(GROUPS.more)
    .helpCommand('help [command]', 'show help for a command')
    .configureHelp({ styleTitle: (title) => styleText('bold', title, { validateStream: false }) })
    .configureOutput({
      writeOut: (text) => cli.console.out(text.trimEnd()),
      writeErr: (text) => cli.console.err(text.trimEnd()),
      outputError: (text, write) => write(text.replace(/^error: /, 'graphmind: ')),
    })
    .exitOverride()
  for (const add of COMMANDS) add(program, cli)
  for (const command of program.commands) command.showHelpAfterError(`Run graphmind ${command.name()} --help to see how it is used.`)
  return program.showHelpAfterError('Run graphmind --help to see every command.').addHelpText(
    'after',
    examples(
      [
        ['graphmind demo', 'no agent at hand? see it hold one'],
        ['graphmind', 'start the server and open the viewer'],
        ['graphmind serve --help', 'every flag of a command, with examples'],
      ],
      'docs/cli.md lists the environment variables and exit codes.',
    ),
  )
}

/** Arguments with the command that is meant when none is named. */
export function withDefaultCommand(args: readonly string[]): readonly string[] {
  const [first] = args
  const isServeFlag = first?.startsWith('-') === true && !['-h', '--help', '-v', '--version'].includes(first)
  return first === undefined || isServeFlag ? ['serve', ...args] : args
}
