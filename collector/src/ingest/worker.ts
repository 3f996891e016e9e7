import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { releaseStartMemoryLater } from '../start-memory.ts'
import { CHECKPOINT_QUIET_MS } from '../store/library/checkpoints.ts'
import { openWriter } from '../store/writing-database.ts'
import { JobQueue } from './job-queue.ts'
import type { FromWorker, ToWorker } from './messages.ts'

// Tidying begins soon after something came, when more is least likely; leaves room between its pieces, and takes a share where it never is its turn.
const IDLE_MS = 10
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
  /** Takes messages that wait for the event loop; false when there are none. */
  const takeArrived = () => {
    let arrived = receiveMessageOnPort(port)
    const isSome = arrived !== undefined
    for (; arrived !== undefined; arrived = receiveMessageOnPort(port)) take(arrived.message)
    return isSome
  }
  const queue = new JobQueue(database, Date.now, send, () => {
    if (takeArrived()) schedule()
  })
  let closing: Extract<ToWorker, { kind: 'close' }> | undefined
  let scheduled = false
  let isClosed = false
  let later: NodeJS.Timeout | undefined
  let tidying: { readonly timer: NodeJS.Timeout; readonly at: number } | undefined
  let tidiedAt = performance.now()
  const work = () => {
    scheduled = false
    // The message to close may have come inside of the turn that then closed, and asked for another one.
    if (isClosed) return
    const rest = queue.turn()
    if (closing === undefined) tidyLater()
    // Spans that wait to be derived are in the file; the next start goes on with them.
    if (closing !== undefined && (queue.isAnswered || queue.isHeldUp)) close(closing)
    else if (rest === 'more') schedule()
    else if (rest === 'later') later ??= setTimeout(wake, queue.laterMs)
  }
  const close = ({ id, tidy = false, shrink = false }: NonNullable<typeof closing>) => {
    if (tidy) queue.tidy(Number.POSITIVE_INFINITY, false)
    if (shrink) queue.shrink()
    clearTimeout(later)
    clearTimeout(tidying?.timer)
    queue.giveUp()
    isClosed = true
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
    const rest = queue.tidy(TIDY_MS, !isOverdue)
    if (rest === 'more') tidyLater(BETWEEN_MS)
    else if (rest === 'later') tidyLater(CHECKPOINT_QUIET_MS)
  }
  const tidyLater = (afterMs = IDLE_MS) => {
    const at = performance.now() + afterMs
    if (tidying !== undefined && tidying.at <= at) return
    clearTimeout(tidying?.timer)
    tidying = { timer: setTimeout(tidy, afterMs), at }
  }
  const take = (message: ToWorker) => {
    if (message.kind === 'close') closing = message
    else queue.add(message)
  }
  port.on('message', (message: ToWorker) => {
    take(message)
    if (scheduled) return
    // Nothing is under way: what else has come is taken along, and begun with at once.
    takeArrived()
    work()
  })
  releaseStartMemoryLater()
  send({ kind: 'ready' })
  // Spans may be waiting since the last time, and the index for what was imported.
  schedule()
  tidyLater()
}

if (parentPort !== null) start(parentPort, String(workerData))
