import { setTimeout as wait } from 'node:timers/promises'
import { failed, ok, type Result } from '../problem.ts'

/** Demo runs at once in one server; each may be held for ever. */
export const MAX_DEMO_RUNS = 4

/** The demo runs that this server plays to itself, for the viewer’s demo button. */
export class DemoRuns {
  readonly #ingestUrl: () => string
  readonly #token: string | undefined
  readonly #stops = new Set<() => Promise<void>>()

  /** The address is asked for at each start: the port is known only then. */
  constructor(ingestUrl: () => string, token?: string) {
    this.#ingestUrl = ingestUrl
    this.#token = token
  }

  /** Starts one more and gives its run id; a problem when too many are on or it can't connect. */
  async start(): Promise<Result<string>> {
    if (this.#stops.size >= MAX_DEMO_RUNS) {
      return failed('demo-too-many', `${MAX_DEMO_RUNS} demo runs are on already. Let their held calls go on first.`)
    }
    // Loaded by the first demo: a server that plays none starts faster.
    const [{ startReplay }, { readRecording }] = await Promise.all([import('./replay.ts'), import('./recording.ts')])
    const leaving = new AbortController()
    const stop = async () => {
      leaving.abort()
      await replay.stop()
    }
    const runId = Promise.withResolvers<Result<string>>()
    const replay = startReplay({
      ingestUrl: this.#ingestUrl(),
      token: this.#token,
      recording: readRecording(),
      wait: (ms) => wait(ms, undefined, { signal: leaving.signal }),
      started: (id) => runId.resolve(ok(id)),
    })
    this.#stops.add(stop)
    void replay.ended.then((ended) => {
      this.#stops.delete(stop)
      if (!ended.ok) runId.resolve(ended)
    })
    return runId.promise
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#stops].map((stop) => stop()))
  }
}
