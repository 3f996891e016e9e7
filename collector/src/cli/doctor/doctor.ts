import { failed, ok, type Result } from '../../problem.ts'
import { VERSION } from '../../version.ts'
import type { Cli } from '../cli.ts'
import { databasePath, type Environment, readPort } from '../settings.ts'
import { type Check, problem } from './check.ts'
import { checkDatabase } from './database.ts'
import { checkExporter } from './exporter.ts'
import { checkSettings } from './graphmind-settings.ts'
import { isLetIn, lookAt, lookAtPackages } from './look.ts'
import { checkInstalled, checkNodeOptions } from './node-options.ts'
import { checkNode } from './node-version.ts'
import { checkCollector, checkDefaultPort } from './ports.ts'

export interface DoctorFlags {
  readonly port?: string
  readonly db?: string
  readonly json?: boolean
}

const SIGNS: Readonly<Record<Check['status'], string>> = { ok: '✓', note: '!', problem: '✗' }

/** `graphmind doctor`: why a program may not show up, or not be held. Ends with 1 when something is wrong. */
export async function doctor(flags: DoctorFlags, { console, environment }: Pick<Cli, 'console' | 'environment'>): Promise<Result<number>> {
  const port = readPort(flags.port)
  if (!port.ok) return port
  const checks = await lookAround(
    flags.port === undefined ? collectorOf(environment) : `http://127.0.0.1:${port.value}`,
    flags,
    environment,
  )
  const problems = checks.filter(({ status }) => status === 'problem').length
  if (flags.json === true) {
    console.out(JSON.stringify({ ok: problems === 0, checks }))
    return ok(problems === 0 ? 0 : 1)
  }
  for (const { name, status, message, fix } of checks) {
    console.out(`${SIGNS[status]} ${name}: ${message}`)
    if (fix !== undefined) console.out(`    → ${fix}`)
  }
  if (problems > 0)
    return failed(
      'doctor',
      `${problems} ${problems === 1 ? 'thing keeps' : 'things keep'} programs from being debugged; see the lines with ✗.`,
    )
  console.out('\nAll is well. graphmind init tells what a project needs to show up.')
  return ok(0)
}

async function lookAround(collector: string, { db }: DoctorFlags, environment: Environment): Promise<readonly Check[]> {
  const [listener, http, grpc] = await Promise.all([collector, 'http://127.0.0.1:4318', 'http://127.0.0.1:4317'].map(lookAt))
  const runs = listener?.kind === 'graphmind'
  const installed = lookAtPackages(process.cwd())
  return [
    checkNode(process.versions.node),
    ...(listener === undefined ? [] : [checkCollector(collector, listener, VERSION)]),
    ...(runs && !(await isLetIn(collector, environment['GRAPHMIND_TOKEN'] || undefined)) ? [NO_TOKEN] : []),
    ...(http === undefined ? [] : [checkDefaultPort(4318, http, runs)]),
    ...(grpc === undefined ? [] : [checkDefaultPort(4317, grpc, runs)]),
    checkDatabase(databasePath(db, environment)),
    ...checkExporter(environment, collector),
    ...checkSettings(environment),
    checkNodeOptions(environment['NODE_OPTIONS'], installed),
    ...checkInstalled(installed, VERSION),
  ]
}

const NO_TOKEN = problem(
  'token',
  'The collector wants a token, and GRAPHMIND_TOKEN is not it: programs started from this shell are refused.',
  'export GRAPHMIND_TOKEN=<the token that graphmind printed when it started>',
)

/** Where programs look for the collector, as an http address. */
function collectorOf(environment: Environment): string {
  const url = URL.parse(environment['GRAPHMIND_URL'] || 'ws://127.0.0.1:4747')
  return url === null ? 'http://127.0.0.1:4747' : `${/^(wss|https):$/.test(url.protocol) ? 'https' : 'http'}://${url.host}`
}
