import { hash } from 'node:crypto'
import { readLog } from '@graphmind-ai/mappings'
import type { DecodedLog } from '../otlp/decode-logs.ts'
import type { LogShelf } from './log-shelf.ts'

/** Puts log records on the shelf, and remembers until the commit which runs and subjects they are about. */
export class LogIntake {
  readonly #shelf: LogShelf
  #waiting = new Map<string, Set<string>>()

  constructor(shelf: LogShelf) {
    this.#shelf = shelf
  }

  /** A record that no node needs is not kept. */
  add(log: DecodedLog): void {
    const facts = readLog(log.view)
    if (facts === undefined) return
    const runId = log.view.traceId ?? (facts.conversation === undefined ? undefined : sessionRunId(facts.conversation))
    if (runId === undefined) return
    const about = facts.about[0] ?? ''
    if (!this.#shelf.add(runId, log, about, log.view.traceId === undefined)) return
    const subjects = this.#waiting.get(runId)
    if (subjects === undefined) this.#waiting.set(runId, new Set([about]))
    else subjects.add(about)
  }

  /** What came since the last call, by run. */
  take(): ReadonlyMap<string, ReadonlySet<string>> {
    const waiting = this.#waiting
    this.#waiting = new Map()
    return waiting
  }
}

/** The run of a session that has no trace: always the same id, of the shape of a trace id. */
export function sessionRunId(conversation: string): string {
  return hash('sha256', conversation, 'hex').slice(0, 32)
}
