import { readFileSync } from 'node:fs'
import { CommanderError } from 'commander'
import { describe, expect, it } from 'vitest'
import { shellWords } from '../testing/shell-words.ts'
import { createProgram, withDefaultCommand } from './program.ts'

/** A command line that is read, and whose work is not done. */
function read(...args: readonly string[]) {
  const said: string[] = []
  let started = 0
  const program = createProgram({
    console: { out: (line) => said.push(line), err: (line) => said.push(line), isTerminal: false },
    environment: {},
    perform: async () => {
      started += 1
    },
    interrupted: () => new Promise(() => undefined),
  })
  const parsed = program.parseAsync(withDefaultCommand(args), { from: 'user' }).then(
    () => 0,
    (error: unknown) => {
      if (error instanceof CommanderError) return error.exitCode
      throw error
    },
  )
  return { program, parsed, said: () => said.join('\n'), started: () => started }
}

const names = read().program.commands.map((command) => command.name())

describe('the command line', () => {
  it('serves when no command is named, with or without flags', async () => {
    expect(withDefaultCommand([])).toEqual(['serve'])
    expect(withDefaultCommand(['--port=4848'])).toEqual(['serve', '--port=4848'])
    expect(withDefaultCommand(['-v'])).toEqual(['-v'])
    const { parsed, started } = read('--port', '4848')
    expect(await parsed).toBe(0)
    expect(started()).toBe(1)
  })

  it('shows every command in its help', async () => {
    const { parsed, said } = read('--help')
    expect(await parsed).toBe(0)
    for (const name of names) expect(said()).toContain(`  ${name} `)
  })

  it.each(names)('shows examples for %s that it understands itself', async (name) => {
    const { parsed, said } = read(name, '--help')
    expect(await parsed).toBe(0)
    const examples = said()
      .split('\n')
      .flatMap((line) => /^ {2}(?:.*\| )?(graphmind\b[^#|>]*?) +#/.exec(line)?.[1] ?? [])
    expect(examples.length).toBeGreaterThan(0)
    for (const example of examples) {
      const [, ...args] = shellWords(example)
      const run = read(...args)
      expect({ example, exitCode: await run.parsed, said: run.said() }).toEqual({ example, exitCode: 0, said: '' })
    }
  })

  it.each([
    [['sevre'], "graphmind: unknown command 'sevre'\n(Did you mean serve?)\nRun graphmind --help to see every command."],
    [
      ['serve', '--prot', '1'],
      "graphmind: unknown option '--prot'\n(Did you mean --port?)\nRun graphmind serve --help to see how it is used.",
    ],
    [['import'], "graphmind: missing required argument 'files'\nRun graphmind import --help to see how it is used."],
  ])('answers %j with what to do next', async (args, words) => {
    const { parsed, said, started } = read(...args)
    expect(await parsed).toBe(1)
    expect(said()).toBe(words)
    expect(started()).toBe(0)
  })

  it('has a file for each command', () => {
    for (const name of names) expect(readFileSync(new URL(`commands/${name}.ts`, import.meta.url), 'utf8')).toContain(`.command('${name}')`)
  })
})
