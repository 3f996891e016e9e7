import { parentPort, workerData } from 'node:worker_threads'
import { openWriter } from '../store/database.ts'
import { JobQueue } from './job-queue.ts'
import type { FromWorker, ToWorker } from './messages.ts'

// Tidying begins when nothing came for a while, leaves room between its pieces, and takes a share when it never gets that far.
const IDLE_MS = 50
const BETWEEN_MS = 10
const TIDY_MS = 5
const LONGEST_UNTIDY_MS = 2_000

/** Thread entry: owns the writing connection, and works through the queue a turn at a time so that messages get in between. */
function start(port: NonNullable<typeof parentPort>, path: string): void {
  const send = (message: FromWorker) => port.postMessage(message)
  const opened = openWriter(path)
  if (!opened.ok) {
    send({ kind: 'failed', problem: opened.problem })
    port.close()
    return
  }
  const database = opened.value
  const queue = new JobQueue(database, Date.now, send)
  let closing: Extract<ToWorker, { kind: 'close' }> | undefined
  let scheduled = false
  let later: NodeJS.Timeout | undefined
  let tidying: NodeJS.Timeout | undefined
  let tidiedAt = performance.now()
  const work = () => {
    scheduled = false
    const rest = queue.turn()
    // Spans that wait to be derived are in the file; the next start goes on with them.
    if (closing !== undefined && (queue.isAnswered || queue.isHeldUp)) close(closing)
    else if (rest === 'more') schedule()
    else if (rest === 'later') later ??= setTimeout(wake, queue.laterMs)
  }
  const close = ({ id, tidy }: NonNullable<typeof closing>) => {
    if (tidy) queue.tidy(Number.POSITIVE_INFINITY)
    clearTimeout(later)
    clearTimeout(tidying)
    queue.giveUp()
    database.close()
    send({ kind: 'done', id })
    port.close()
  }
  const wake = () => {
    later = undefined
    schedule()
  }
  const schedule = () => {
    if (scheduled) return
    scheduled = true
    setImmediate(work)
  }
  const tidy = () => {
    tidying = undefined
    const isOverdue = performance.now() - tidiedAt >= LONGEST_UNTIDY_MS
    if (scheduled && !isOverdue) return tidyLater()
    tidiedAt = performance.now()
    if (queue.tidy(TIDY_MS)) tidyLater(BETWEEN_MS)
  }
  const tidyLater = (afterMs = IDLE_MS) => {
    tidying ??= setTimeout(tidy, afterMs)
  }
  port.on('message', (message: ToWorker) => {
    if (message.kind === 'close') closing = message
    else queue.add(message)
    schedule()
    if (closing === undefined) tidyLater()
  })
  send({ kind: 'ready' })
  // Spans may be waiting since the last time, and the index for what was imported.
  schedule()
  tidyLater()
}

if (parentPort !== null) start(parentPort, String(workerData))
