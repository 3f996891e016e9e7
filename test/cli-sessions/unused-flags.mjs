// Prints each command, and each flag of one, that none of the given command lines uses.
import { createProgram } from '../../collector/dist/cli/program.js'
import { shellWords } from '../../collector/dist/testing/shell-words.js'

const program = createProgram({
  console: { out: () => undefined, err: () => undefined, isTerminal: false },
  environment: {},
  perform: async () => undefined,
  interrupted: () => new Promise(() => undefined),
})
const used = process.argv.slice(2).flatMap((line) =>
  line.split(/[|;]/).flatMap((part) => {
    const words = shellWords(part.trim())
    return words[0] === 'graphmind' ? [words.slice(1)] : []
  }),
)
for (const command of program.commands) {
  const lines = used.filter(([name]) => name === command.name())
  if (lines.length === 0) console.log(`graphmind ${command.name()}`)
  const flags = new Set(lines.flat().map((word) => word.split('=')[0]))
  for (const { long } of command.options) if (!flags.has(long)) console.log(`graphmind ${command.name()} ${long}`)
}
