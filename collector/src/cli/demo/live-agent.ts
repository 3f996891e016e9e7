import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { packageFile } from '../../package-file.ts'
import { failed, ok, type Result } from '../../problem.ts'
import type { RunningServer } from '../../store/database-lock.ts'
import type { Cli } from '../cli.ts'
import type { DemoRun } from './demo.ts'

const PROGRAM = 'trip.mjs'
const IN_CHECKOUT = packageFile('../examples/demo-agent')

/** Starts the agent that the recording was made of, reporting to the server at `url`. A problem where its code or packages are missing. */
export function liveAgent({ url, token }: RunningServer, { console, environment }: Cli): Result<DemoRun> {
  const folder = environment['GRAPHMIND_DEMO_AGENT_DIR'] || IN_CHECKOUT
  if (!existsSync(join(folder, PROGRAM))) {
    return failed(
      'demo-agent',
      `The demo agent is not at ${folder}. Name its folder in GRAPHMIND_DEMO_AGENT_DIR, or leave --live out to play the recording.`,
    )
  }
  if (!existsSync(join(folder, 'node_modules'))) {
    return failed('demo-agent', `The demo agent at ${folder} is not installed. Run: npm ci --prefix ${folder}`)
  }
  const child = spawn(process.execPath, [PROGRAM], {
    cwd: folder,
    env: {
      ...environment,
      GRAPHMIND_URL: `${url.replace('http', 'ws')}/ingest`,
      ...(token === undefined ? {} : { GRAPHMIND_TOKEN: token }),
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  console.out(`The demo agent runs; its budget check fails and waits for you in the viewer at ${url}`)
  const exited = new Promise<Result<string>>((resolve) => {
    child.once('error', (error) => resolve(failed('demo-agent', `The demo agent could not be started: ${error.message}.`)))
    child.once('exit', (code) =>
      resolve(
        code === 0 ? ok('The demo agent has ended.') : failed('demo-agent', `The demo agent ended with exit code ${code}. See above.`),
      ),
    )
  })
  return ok({
    ended: exited,
    async stop() {
      child.kill('SIGTERM')
      await exited
    },
  })
}
