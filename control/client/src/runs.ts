import { AsyncLocalStorage } from 'node:async_hooks'

/** More runs than this at once, and the signal of the longest unused one is forgotten. */
const MAX_RUNS = 10_000

/** What a run's function gets, and what code inside it finds without being handed anything. */
export interface RunContext {
  readonly runId: string
  readonly name: string
  /** Aborted with an AbortError when a gate of this run is released with `abort`. Pass it into every SDK call. */
  readonly signal: AbortSignal
}

/** The AbortControllers of runs, those of `session.run` and the implicit ones of traces, and the run that the caller is in. */
export class Runs {
  readonly #controllers = new Map<string, AbortController>()
  readonly #context = new AsyncLocalStorage<RunContext>()
  readonly #forgotten: (runId: string) => void

  /** `forgotten` hears of every run whose signal is let go. */
  constructor(forgotten: (runId: string) => void) {
    this.#forgotten = forgotten
  }

  current(): RunContext | undefined {
    return this.#context.getStore()
  }

  enter<Result>(context: RunContext, body: () => Result): Result {
    return this.#context.run(context, body)
  }

  signal(runId: string): AbortSignal {
    return this.#controller(runId).signal
  }

  /** Aborts the run's signal, once, with a reason that frameworks treat as final and do not retry. */
  abort(runId: string): void {
    const controller = this.#controller(runId)
    if (!controller.signal.aborted) controller.abort(new DOMException('The run was aborted from the GraphMind debugger.', 'AbortError'))
  }

  end(runId: string): void {
    if (this.#controllers.delete(runId)) this.#forgotten(runId)
  }

  #controller(runId: string): AbortController {
    const controller = this.#controllers.get(runId) ?? new AbortController()
    this.#controllers.delete(runId)
    this.#controllers.set(runId, controller)
    const oldest = this.#controllers.keys().next().value
    if (this.#controllers.size > MAX_RUNS && oldest !== undefined) this.end(oldest)
    return controller
  }
}
