import { hash } from 'node:crypto'
import { readLog } from '@graphmind-ai/mappings'
import type { RunSource } from '@graphmind-ai/schema'
import type { DecodedLog } from '../otlp/decode-logs.ts'
import type { LogShelf } from './log-shelf.ts'

/** What records came to a run, and from where: the source counts only where they are the first of it. */
export interface LogNews {
  readonly source: RunSource
  readonly subjects: Set<string>
}

/** Puts log records on the shelf, and remembers until the commit which runs and subjects they are about. */
export class LogIntake {
  readonly #shelf: LogShelf
  #waiting = new Map<string, LogNews>()

  constructor(shelf: LogShelf) {
    this.#shelf = shelf
  }

  /** A record that no node needs is not kept; of the others, the run that they are about, known or not. */
  add(log: DecodedLog, source: RunSource): string | undefined {
    const facts = readLog(log.view)
    if (facts === undefined) return undefined
    const runId = log.view.traceId ?? (facts.conversation === undefined ? undefined : sessionRunId(facts.conversation))
    if (runId === undefined) return undefined
    const about = facts.about[0] ?? ''
    if (!this.#shelf.add(runId, log, about, log.view.traceId === undefined)) return runId
    const news = this.#waiting.get(runId)
    if (news === undefined) this.#waiting.set(runId, { source, subjects: new Set([about]) })
    else news.subjects.add(about)
    return runId
  }

  /** What came since the last call, by run. */
  take(): ReadonlyMap<string, LogNews> {
    const waiting = this.#waiting
    this.#waiting = new Map()
    return waiting
  }
}

/** The run of a session that has no trace: always the same id, of the shape of a trace id. */
function sessionRunId(conversation: string): string {
  return hash('sha256', conversation, 'hex').slice(0, 32)
}
