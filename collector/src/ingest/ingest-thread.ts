import { Worker } from 'node:worker_threads'
import type { ChannelEvent } from '@graphmind-ai/hub'
import type { ImportProgress, ImportSummary } from '../import/import-job.ts'
import { failed, messageOf, ok, type Problem, type Result } from '../problem.ts'
import type {
  CloseOptions,
  ExportOutcome,
  ExportRequest,
  FromWorker,
  ImportMessage,
  LibraryAnswers,
  LibraryChange,
  Remapped,
  SweepRequest,
  ToWorker,
} from './messages.ts'

type Committed = Extract<FromWorker, { kind: 'committed' }>
type Ask<Kind extends ToWorker['kind']> = Omit<Extract<ToWorker, { kind: Kind }>, 'kind' | 'id'>

const SCRIPT = new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js', import.meta.url)

/** The import of one file: its pieces in order, then `end`; `drop` when the rest will not come. */
export interface FileImport {
  /** The piece's buffer is transferred and can't be read afterwards. */
  write(piece: Uint8Array<ArrayBuffer>): Promise<Result<ImportProgress>>
  /** Call it until it gives the summary: what comes before tells how far the file is packed. */
  end(): Promise<Result<ImportProgress | ImportSummary>>
  drop(): Promise<void>
}

/** The main thread's side of the ingest worker. Every promise settles after the commit. */
export class IngestThread {
  readonly #worker: Worker
  #onCommitted: (committed: Committed) => void = () => undefined
  readonly #exports = new Map<number, (outcome: ExportOutcome) => void>()
  readonly #imports = new Map<number, (result: Result<ImportProgress | ImportSummary>) => void>()
  readonly #library = new Map<number, (result: Result<LibraryAnswers[keyof LibraryAnswers]>) => void>()
  readonly #remaps = new Map<number, (result: Result<Remapped>) => void>()
  readonly #asks = new Map<number, (problem: Problem | undefined) => void>()
  #nextId = 0
  #failure: Problem | undefined
  #storeProblem: string | undefined

  private constructor(worker: Worker) {
    this.#worker = worker
    worker.on('message', (message: FromWorker) => this.#receive(message))
    worker.on('error', (error) => this.#fail(messageOf(error)))
    worker.on('exit', () => this.#fail('it has ended'))
  }

  /** Starts the worker on a database file; a problem when the file can't be used. */
  static start(path: string): Promise<Result<IngestThread>> {
    // The launcher's flags, vitest's loaders and preloads are not the worker's business.
    const worker = new Worker(SCRIPT, {
      workerData: path,
      execArgv: ['--disable-warning=ExperimentalWarning'],
      name: 'graphmind-ingest',
      // V8's own choice lets garbage grow to twice what the work needs. 12 instead of 32 takes 60 MB off the peak of 16,000 spans sent at once
      // (310 to 250) at the same CPU time a span.
      resourceLimits: { maxYoungGenerationSizeMb: 12 },
    })
    return new Promise((resolve) => {
      const first = (message: FromWorker) => {
        worker.removeListener('error', crashed)
        if (message.kind === 'failed') resolve({ ok: false, problem: message.problem })
        else resolve(ok(new IngestThread(worker)))
      }
      const crashed = (error: unknown) => {
        worker.removeListener('message', first)
        resolve(failed('worker', `The ingest worker did not start: ${messageOf(error)}`))
      }
      worker.once('message', first)
      worker.once('error', crashed)
    })
  }

  /** Why nothing can be stored now, and what to do. */
  get problem(): string | undefined {
    return this.#failure?.message ?? this.#storeProblem
  }

  /** Hears of each commit, before those who wait for it. */
  onCommitted(listener: (committed: Committed) => void): void {
    this.#onCommitted = listener
  }

  /** Hands an export request over; the body's buffer is transferred and can't be read afterwards. */
  export(request: ExportRequest): Promise<ExportOutcome> {
    if (this.#failure !== undefined) return Promise.resolve({ status: 503, message: this.#failure.message })
    const id = this.#nextId++
    return new Promise((resolve) => {
      this.#exports.set(id, resolve)
      this.#worker.postMessage({ kind: 'export', id, ...request } satisfies ToWorker, [request.body.buffer])
    })
  }

  /** Stores channel events; rejects when the store can't take them. */
  async append(events: readonly ChannelEvent[]): Promise<void> {
    const problem = await this.#ask('append', { events })
    if (problem !== undefined) throw new Error(problem.message)
  }

  /** Begins the import of one file. Each call settles after what was in the piece is committed. */
  import(): FileImport {
    const importId = this.#nextId++
    const send = (piece: ImportMessage['piece']): Promise<Result<ImportProgress | ImportSummary>> => {
      if (this.#failure !== undefined) return Promise.resolve({ ok: false, problem: this.#failure })
      const id = this.#nextId++
      return new Promise((resolve) => {
        this.#imports.set(id, resolve)
        const transferred = piece instanceof Uint8Array ? [piece.buffer] : []
        this.#worker.postMessage({ kind: 'import', id, importId, piece } satisfies ToWorker, transferred)
      })
    }
    return {
      write: send,
      end: () => send('end'),
      drop: async () => {
        await send('drop')
      },
    }
  }

  /** Derives a run's events anew from its raw spans. */
  remap(runId: string): Promise<Result<Remapped>> {
    if (this.#failure !== undefined) return Promise.resolve({ ok: false, problem: this.#failure })
    const id = this.#nextId++
    return new Promise((resolve) => {
      this.#remaps.set(id, resolve)
      this.#worker.postMessage({ kind: 'remap', id, runId } satisfies ToWorker)
    })
  }

  /** Marks, deletes, restores or prunes runs. */
  changeLibrary<Type extends LibraryChange['type']>(change: Extract<LibraryChange, { type: Type }>): Promise<Result<LibraryAnswers[Type]>> {
    if (this.#failure !== undefined) return Promise.resolve({ ok: false, problem: this.#failure })
    const id = this.#nextId++
    return new Promise((resolve) => {
      // The worker answers each type with its own.
      this.#library.set(id, resolve as (result: Result<LibraryAnswers[keyof LibraryAnswers]>) => void)
      this.#worker.postMessage({ kind: 'library', id, change } satisfies ToWorker)
    })
  }

  /** Settles once nothing of the run waits to be derived, so that what is read of it next is whole; rejects when the store can't take it. */
  async derive(runId: string): Promise<void> {
    const problem = await this.#ask('derive', { runId })
    if (problem !== undefined) throw new Error(problem.message)
  }

  /** Once it settles, every later event of the run is announced (`on`), and all earlier ones are stored; or none is announced. */
  async watch(runId: string, on: boolean): Promise<void> {
    await this.#ask('watch', { runId, on })
  }

  async sessionSpeaksFor(runId: string, hide: readonly string[]): Promise<void> {
    await this.#ask('session', { runId, hide })
  }

  async sweep(request: SweepRequest): Promise<void> {
    await this.#ask('sweep', { ...request })
  }

  /** Works off the queue, closes the database and ends the thread. */
  async close(options: CloseOptions = {}): Promise<void> {
    await this.#ask('close', options)
    await this.#worker.terminate()
  }

  #ask<Kind extends 'append' | 'derive' | 'watch' | 'session' | 'sweep' | 'close'>(
    kind: Kind,
    ask: Ask<Kind>,
  ): Promise<Problem | undefined> {
    if (this.#failure !== undefined) return Promise.resolve(this.#failure)
    const id = this.#nextId++
    return new Promise((resolve) => {
      this.#asks.set(id, resolve)
      this.#worker.postMessage({ kind, id, ...ask })
    })
  }

  #receive(message: FromWorker): void {
    if (message.kind === 'committed') this.#onCommitted(message)
    else if (message.kind === 'store') this.#storeProblem = message.problem ?? undefined
    else if (message.kind === 'exported') {
      this.#exports.get(message.id)?.(message.outcome)
      this.#exports.delete(message.id)
    } else if (message.kind === 'imported') {
      this.#imports.get(message.id)?.(message.result)
      this.#imports.delete(message.id)
    } else if (message.kind === 'remapped') {
      this.#remaps.get(message.id)?.(message.result)
      this.#remaps.delete(message.id)
    } else if (message.kind === 'library') {
      this.#library.get(message.id)?.(message.result)
      this.#library.delete(message.id)
    } else if (message.kind === 'done') {
      this.#asks.get(message.id)?.(message.problem)
      this.#asks.delete(message.id)
    }
  }

  /** Answers everything that waits; what was not committed may be sent again. */
  #fail(words: string): void {
    this.#failure ??= { code: 'worker', message: `The ingest worker is not running: ${words}. Restart graphmind.` }
    const { message } = this.#failure
    for (const resolve of this.#exports.values()) resolve({ status: 503, message })
    for (const resolve of this.#asks.values()) resolve(this.#failure)
    for (const resolve of [...this.#imports.values(), ...this.#remaps.values(), ...this.#library.values()])
      resolve({ ok: false, problem: this.#failure })
    this.#imports.clear()
    this.#remaps.clear()
    this.#library.clear()
    this.#exports.clear()
    this.#asks.clear()
  }
}
