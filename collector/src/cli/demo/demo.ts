import { setTimeout as wait } from 'node:timers/promises'
import { readRecording } from '../../demo/recording.ts'
import { startReplay } from '../../demo/replay.ts'
import { ok, type Result } from '../../problem.ts'
import type { RunningServer } from '../../store/database-lock.ts'
import type { Cli } from '../cli.ts'
import { hasDisplay, openBrowser } from '../serve/open-browser.ts'
import { serve } from '../serve/serve.ts'
import { controlLevel, findRunningServer, serverApi } from '../server/server-api.ts'
import { findLiveAgent, liveAgent } from './live-agent.ts'

export interface DemoFlags {
  readonly live?: boolean
  readonly port?: string
  readonly db?: string
  readonly open?: boolean
}

/** A demo that is on; `ended` gives what to say of its end. */
export interface DemoRun {
  readonly ended: Promise<Result<string>>
  stop(): Promise<void>
}

/** `graphmind demo`: with a server that was there it ends with the run, with one of its own at Ctrl+C. */
export async function demo(flags: DemoFlags, cli: Cli): Promise<Result<undefined>> {
  const agent = flags.live === true ? findLiveAgent(cli.environment) : undefined
  if (agent?.ok === false) return agent
  const server = await serverFor(flags, cli)
  if (!server.ok) return server
  const { url, stop } = server.value
  const interrupted = cli.interrupted()
  try {
    const run = agent === undefined ? recordedRun(server.value, flags, cli) : liveAgent(agent.value, server.value, cli)
    const end = await Promise.race([run.ended, interrupted])
    if (end === undefined) await run.stop()
    else if (!end.ok) return end
    else cli.console.out(end.value)
    if (end !== undefined && stop !== undefined) {
      cli.console.out(`The server stays up at ${url}. Press Ctrl+C to stop it.`)
      await interrupted
    }
    return ok(undefined)
  } finally {
    await stop?.()
  }
}

interface Server extends RunningServer {
  /** Of a server that was started here. */
  readonly stop?: () => Promise<void>
}

/** The server on the port that was asked for, or the one that has the database; else a new one. */
async function serverFor(flags: DemoFlags, cli: Cli): Promise<Result<Server>> {
  const there = await findRunningServer(flags, cli.environment)
  if (!there.ok) return there
  if (there.value !== undefined) return ok(there.value)
  const { port, db } = flags
  // A server for trying things out, the command line among them.
  const wish = { open: false, otlpPorts: false, editInput: true, allowControl: 'edit' }
  const started = await serve({ ...wish, ...(port === undefined ? {} : { port }), ...(db === undefined ? {} : { db }) }, cli)
  return started.ok ? ok({ url: started.value.url, token: started.value.token, stop: () => started.value.stop() }) : started
}

function recordedRun({ url, token }: RunningServer, flags: DemoFlags, cli: Cli): DemoRun {
  const leaving = new AbortController()
  const replay = startReplay({
    ingestUrl: `${url.replace('http', 'ws')}/ingest`,
    token,
    recording: readRecording(),
    wait: (ms) => wait(ms, undefined, { signal: leaving.signal }),
    started: (runId) => void show({ url, token }, runId, flags, cli),
  })
  const ended = replay.ended.then((end) =>
    end.ok ? ok(end.value === 'ok' ? 'The demo run has ended: ok.' : 'The demo run was aborted, as you asked.') : end,
  )
  return {
    ended,
    async stop() {
      leaving.abort()
      await replay.stop()
      await ended
    },
  }
}

async function show(server: RunningServer, runId: string, flags: DemoFlags, { console, environment }: Cli): Promise<void> {
  const url = `${server.url}/run/${runId}`
  console.out(`The demo runs at ${url}`)
  console.out(
    'Its budget check fails, because a tool before it turned an exchange rate upside down. The call waits for you there: inject, continue,',
  )
  console.out(
    `retry or abort it in the viewer${(await controlLevel(serverApi(server))) !== 'off' ? ', or with graphmind wait and graphmind resume' : ''}.`,
  )
  if (!(flags.open ?? hasDisplay(environment, process.platform, console.isTerminal))) return
  const failure = await openBrowser(url)
  if (failure !== undefined) console.out(`No browser could be opened (${failure}). Open the address yourself.`)
}
