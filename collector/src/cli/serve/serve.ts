import type { Collector } from '../../collector.ts'
import { openStore } from '../../ingest/open-store.ts'
import { ok, type Result } from '../../problem.ts'
import { VERSION } from '../../version.ts'
import type { Cli } from '../cli.ts'
import type { Console } from '../console.ts'
import { type Environment, type ServeFlags, serveSettings } from '../settings.ts'
import { hasDisplay, openBrowser } from './open-browser.ts'
import { describePauseOnError } from './pause-on-error.ts'

/** `graphmind serve`: serves until Ctrl+C. */
export async function serveUntilStopped(flags: ServeFlags, cli: Cli): Promise<Result<undefined>> {
  const started = await serve(flags, cli)
  if (!started.ok) return started
  await cli.interrupted()
  await started.value.stop()
  return ok(undefined)
}

/** Starts the server and says where it is. With --json the only line on stdout is `{port,url,pid,version}`. */
export async function serve(flags: ServeFlags, { environment, console }: Pick<Cli, 'environment' | 'console'>): Promise<Result<Collector>> {
  const settings = serveSettings(flags, environment)
  if (!settings.ok) return settings
  // The store's thread starts while everything else is loaded.
  const opening = openStore(settings.value.db)
  const { startCollector } = await import('../../collector.ts')
  const started = await startCollector(settings.value, opening)
  if (!started.ok) return started
  const { port, url, token, bound } = started.value
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
  if (wantsBrowser(flags, environment, console)) {
    const failure = await openBrowser(link)
    say(failure === undefined ? 'Opening the viewer in your browser.' : `No browser could be opened (${failure}). Open ${link} yourself.`)
  } else {
    say(`Open ${link} in a browser. Press Ctrl+C to stop.`)
  }
  return started
}

function wantsBrowser(flags: ServeFlags, environment: Environment, console: Console): boolean {
  return flags.open ?? (flags.json !== true && hasDisplay(environment, process.platform, console.isTerminal))
}
