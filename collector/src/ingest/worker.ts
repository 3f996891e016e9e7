import { parentPort, workerData } from 'node:worker_threads'
import { openWriter } from '../store/database.ts'
import { JobQueue } from './job-queue.ts'
import type { FromWorker, ToWorker } from './messages.ts'

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
  let closing: number | undefined
  let scheduled = false
  const work = () => {
    scheduled = false
    const more = queue.turn()
    if (more) schedule()
    else if (closing !== undefined) {
      database.close()
      send({ kind: 'done', id: closing })
      port.close()
    }
  }
  const schedule = () => {
    if (scheduled) return
    scheduled = true
    setImmediate(work)
  }
  port.on('message', (message: ToWorker) => {
    if (message.kind === 'close') closing = message.id
    else queue.add(message)
    schedule()
  })
  send({ kind: 'ready' })
}

if (parentPort !== null) start(parentPort, String(workerData))
