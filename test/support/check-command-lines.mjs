// Prints each argument, a graphmind command line without its first word, that the real command line does not understand. Runs none of them.
import { createProgram, withDefaultCommand } from '../../collector/dist/cli/program.js'
import { shellWords } from '../../collector/dist/testing/shell-words.js'

for (const line of process.argv.slice(2)) {
  const said = []
  const console = { out: () => undefined, err: (text) => said.push(text), isTerminal: false }
  const program = createProgram({
    console,
    environment: {},
    perform: async () => undefined,
    interrupted: () => new Promise(() => undefined),
  })
  // `<runId>` and `FILE…` stand for something.
  const args = shellWords(line.replace(/[>2]* ?>.*$/, (rest) => (line.includes('<') ? rest : '')).replaceAll('…', ''))
  try {
    await program.parseAsync(withDefaultCommand(args), { from: 'user' })
  } catch (error) {
    if (error.exitCode === 0) continue
    process.stdout.write(`graphmind ${line}\n  ${said.join('\n  ')}\n`)
    process.exitCode = 1
  }
}
