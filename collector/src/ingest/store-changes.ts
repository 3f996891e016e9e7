import { noSuchRun } from '../no-such-run.ts'
import { messageOf, ok, type Problem, type Result } from '../problem.ts'
import type { Housekeeper } from './housekeeper.ts'
import type { Ingest } from './ingest.ts'
import type { FromWorker, LibraryAnswers, LibraryChange, Remapped, ToWorker } from './messages.ts'

export type ControlMessage = Exclude<ToWorker, { kind: 'export' | 'import' | 'close' }>
/** What changes the store, as opposed to what asks for it. */
export type ChangeMessage = Exclude<ControlMessage, { kind: 'watch' | 'derive' }>

/** Makes the changes that programs and people ask for, each so that one that fails costs no other. */
export class StoreChanges {
  readonly #ingest: Ingest
  readonly #housekeeper: Housekeeper

  constructor(ingest: Ingest, housekeeper: Housekeeper) {
    this.#ingest = ingest
    this.#housekeeper = housekeeper
  }

  /** Returns the answer, which goes out after the commit. */
  run(message: ChangeMessage): FromWorker {
    const { id } = message
    try {
      if (message.kind === 'library') return { kind: 'library', id, result: this.#ingest.part(() => this.#changeLibrary(message.change)) }
      if (message.kind === 'remap') return { kind: 'remapped', id, result: this.#remap(message.runId) }
      const problem = this.#ingest.part(() => this.#applyControl(message))
      return { kind: 'done', id, ...(problem === undefined ? {} : { problem }) }
    } catch (error) {
      if (!this.#ingest.inTransaction) throw error
      return controlRefusal(message, { code: 'store', message: `The store refused: ${messageOf(error)}` })
    }
  }

  #remap(runId: string): Result<Remapped> {
    const remapped = this.#ingest.part(() => this.#ingest.remap(runId))
    return remapped === undefined ? noSuchRun(runId) : ok(remapped)
  }

  #changeLibrary(change: LibraryChange): Result<LibraryAnswers[keyof LibraryAnswers]> {
    const { library } = this.#ingest
    switch (change.type) {
      case 'mark':
        return library.mark(change.runId, change.marks)
      case 'delete':
        // What waits to be derived would bring it back.
        this.#ingest.deriveAll(change.runId)
        return library.delete(change.runId, change)
      case 'restore':
        return library.restore(change.runId)
      case 'prune':
        return ok(this.#housekeeper.prune(change.policy, change.held, change.dryRun))
    }
  }

  #applyControl(message: Exclude<ChangeMessage, { kind: 'remap' | 'library' }>): Problem | undefined {
    switch (message.kind) {
      case 'append':
        for (const event of message.events) this.#ingest.addChannelEvent(event)
        return undefined
      case 'session':
        this.#ingest.sessionSpeaksFor(message.runId, message.hide)
        return undefined
      case 'sweep':
        this.#ingest.sweep(message)
        if (message.retention !== undefined) this.#housekeeper.retain(message.retention.policy, message.retention.held)
        return undefined
    }
  }
}

/** The answer to a message whose work failed, in the form that its sender waits for. */
export function controlRefusal({ kind, id }: ControlMessage, problem: Problem): FromWorker {
  if (kind === 'remap') return { kind: 'remapped', id, result: { ok: false, problem } }
  return kind === 'library' ? { kind, id, result: { ok: false, problem } } : { kind: 'done', id, problem }
}
