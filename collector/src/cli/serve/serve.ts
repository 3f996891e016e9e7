import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { ControlLevel } from '@graphmind-ai/hub'
import type { Collector } from '../../collector.ts'
import { boundHeapGrowth } from '../../heap-growth.ts'
import { openStore } from '../../ingest/open-store.ts'
import { ok, type Result } from '../../problem.ts'
import { makeToken } from '../../serve/access.ts'
import { releaseStartMemoryLater } from '../../start-memory.ts'
import { VERSION } from '../../version.ts'
import type { Cli } from '../cli.ts'
import type { Console } from '../console.ts'
import { graphmindHome } from '../home.ts'
import { writeServeFile } from '../server/serve-file.ts'
import { type Environment, type ServeFlags, serveSettings } from '../settings.ts'
import { hasDisplay, openBrowser } from './open-browser.ts'
import { describePauseOnError } from './pause-on-error.ts'

/** `graphmind serve`: serves until Ctrl+C. */
export async function serveUntilStopped(flags: ServeFlags, cli: Cli): Promise<Result<undefined>> {
  // Heard from the start on: whoever reads the address may stop it in the same moment.
  const interrupted = cli.interrupted()
  const started = await serve(flags, cli)
  if (!started.ok) return started
  await interrupted
  await started.value.stop()
  return ok(undefined)
}

/** Starts the server and says where it is. With --json the only line on stdout is `{port,url,pid,version}`. */
export async function serve(flags: ServeFlags, { environment, console }: Pick<Cli, 'environment' | 'console'>): Promise<Result<Collector>> {
  const settings = serveSettings(flags, environment, makeToken())
  if (!settings.ok) return settings
  // The store's thread starts while everything else is loaded.
  const opening = openStore(settings.value.db)
  const { startCollector } = await import('../../collector.ts')
  const started = await startCollector(settings.value, opening)
  if (!started.ok) return started
  releaseStartMemoryLater()
  boundHeapGrowth()
  const { port, url, token, bound, stop } = started.value
  const page = token === undefined ? undefined : join(graphmindHome(environment), 'run', `open-${port}.html`)
  const file = { port, pid: process.pid, url, agentToken: settings.value.agent.token, version: VERSION }
  const told = writeServeFile(graphmindHome(environment), file)
  if (!told.ok) console.err(`graphmind: ${told.problem.message}`)
  // In the fragment, which no browser sends anywhere and no log keeps.
  const link = token === undefined ? url : `${url}/#token=${token}`
  const say = flags.json === true ? console.err : console.out
  if (flags.json === true) console.out(JSON.stringify({ port, url, pid: process.pid, version: VERSION }))
  say(`GraphMind ${VERSION}: ${link}`)
  say(`Listening on ${bound.join(', ')}`)
  if (token !== undefined)
    say(`Programs send this token too: GRAPHMIND_TOKEN=${token}, or OTEL_EXPORTER_OTLP_HEADERS="authorization=Bearer%20${token}"`)
  say(`Runs are kept in ${settings.value.db}`)
  say(describePauseOnError(settings.value.breakpoints ?? []))
  say(describeControl(settings.value.agent.level))
  if (wantsBrowser(flags, environment, console)) {
    const failure = await openBrowser(link, page)
    say(failure === undefined ? 'Opening the viewer in your browser.' : `No browser could be opened (${failure}). Open ${link} yourself.`)
  } else {
    say(`Open ${link} in a browser. Press Ctrl+C to stop.`)
  }
  return ok({
    ...started.value,
    async stop() {
      if (told.ok) told.value()
      if (page !== undefined) rmSync(page, { force: true })
      await stop()
    },
  })
}

function describeControl(level: ControlLevel): string {
  return level === 'off'
    ? 'Agents and commands may look, not release held calls (--allow-control lets them)'
    : `Agents and commands may release held calls: ${level}`
}

function wantsBrowser(flags: ServeFlags, environment: Environment, console: Console): boolean {
  return flags.open ?? (flags.json !== true && hasDisplay(environment, process.platform, console.isTerminal))
}
