import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { packageFile } from '../../package-file.ts'
import { failed, ok, type Result } from '../../problem.ts'
import type { RunningServer } from '../../store/database-lock.ts'
import type { Cli } from '../cli.ts'
import type { Environment } from '../settings.ts'
import { shellWord } from '../show/printable.ts'
import type { DemoRun } from './demo.ts'

const PROGRAM = 'trip-live.mjs'
const IN_CHECKOUT = packageFile('../examples/demo-agent')
/** The first whose key is set is asked. */
const PROVIDERS = [
  { key: 'ANTHROPIC_API_KEY', name: 'Anthropic', module: '@ai-sdk/anthropic' },
  { key: 'OPENAI_API_KEY', name: 'OpenAI', module: '@ai-sdk/openai' },
] as const
const RECORDING = 'graphmind demo, without --live, plays the same agent from a recording.'

/** The program of the demo agent, and whose model it will ask. */
export interface AgentProgram {
  readonly folder: string
  readonly provider: string
}

/** Looks for everything that `demo --live` needs; a problem says what is missing and how to get it. */
export function findLiveAgent(environment: Environment): Result<AgentProgram> {
  const provider = PROVIDERS.find(({ key }) => (environment[key] ?? '') !== '')
  if (provider === undefined) {
    const keys = PROVIDERS.map(({ key }) => key).join(' or ')
    return failed('demo-key', `demo --live asks a real model: set ${keys} (a run costs less than a cent). ${RECORDING}`)
  }
  const named = environment['GRAPHMIND_DEMO_AGENT_DIR']
  const folder = named || IN_CHECKOUT
  if (!existsSync(join(folder, PROGRAM))) {
    return failed(
      'demo-agent',
      named
        ? `GRAPHMIND_DEMO_AGENT_DIR names ${folder}, where there is no ${PROGRAM}. It is the folder examples/demo-agent of a checkout. ${RECORDING}`
        : `The demo agent is not part of this package. Get a checkout of GraphMind and name its examples/demo-agent in GRAPHMIND_DEMO_AGENT_DIR. ${RECORDING}`,
    )
  }
  if (!existsSync(join(folder, 'node_modules', provider.module)))
    return failed(
      'demo-agent',
      `The demo agent at ${folder} is not installed, or before it had ${provider.module}. Run: npm ci --prefix ${shellWord(folder)}`,
    )
  return ok({ folder, provider: provider.name })
}

/** Starts the agent, reporting to this server. */
export function liveAgent({ folder, provider }: AgentProgram, { url, token }: RunningServer, { console, environment }: Cli): DemoRun {
  const child = spawn(process.execPath, [PROGRAM], {
    cwd: folder,
    env: {
      ...environment,
      GRAPHMIND_URL: `${url.replace('http', 'ws')}/ingest`,
      ...(token === undefined ? {} : { GRAPHMIND_TOKEN: token }),
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  console.out(`The demo agent asks ${provider}. Its budget check fails and waits for you in the viewer at ${url}`)
  const exited = new Promise<Result<string>>((resolve) => {
    child.once('error', (error) => resolve(failed('demo-agent', `The demo agent could not be started: ${error.message}.`)))
    child.once('exit', (code) =>
      resolve(
        code === 0
          ? ok('The demo agent has ended.')
          : failed('demo-agent', `The demo agent ended with exit code ${code}; it says why above. ${RECORDING}`),
      ),
    )
  })
  return {
    ended: exited,
    async stop() {
      child.kill('SIGTERM')
      await exited
    },
  }
}
