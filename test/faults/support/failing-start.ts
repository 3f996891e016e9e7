import { join } from 'node:path'
import { root, startProgram } from '../../support/process.ts'

export interface FailedStart {
  readonly exitCode: number | null
  readonly output: string
}

/** Starts a collector that can't: resolves with its exit code and what it said. */
export async function failingStart(database: string): Promise<FailedStart> {
  const program = startProgram([
    join(root, 'collector', 'bin', 'graphmind.js'),
    ...['serve', '--port', '0', '--db', database, '--no-open', '--no-otlp-ports'],
  ])
  const exitCode = await Promise.race([program.exited, program.line(/Press Ctrl\+C/).then(() => undefined)])
  if (exitCode !== undefined) return { exitCode, output: program.output() }
  await program.stop()
  throw new Error(`It started:\n${program.output()}`)
}
