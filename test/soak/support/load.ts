import { setTimeout as pause } from 'node:timers/promises'
import { createSession } from '@graphmind-ai/client'
import { deliver, traceRequest } from '../../faults/support/traces.ts'
import type { RunningCollector } from '../../support/collector.ts'

/** What became of the load; `problems` must stay empty. */
export interface Tally {
  spans: number
  holds: number
  visits: number
  frames: number
  reads: number
  readonly problems: string[]
}

type Worker = (collector: RunningCollector, tally: Tally, isOver: () => boolean) => Promise<void>

/** Sends runs as exporters do, now small and now large, and takes a 503 for what it is. */
const exporter: Worker = async ({ url }, tally, isOver) => {
  while (!isOver()) {
    const large = Math.random() < 0.02
    const { runs, body } = traceRequest(large ? 1 : 2, large ? 400 : 8, large ? 500 : 3000)
    const { status, text } = await deliver(url, body)
    if (status === 200) tally.spans += runs.reduce((sum, { spanCount }) => sum + spanCount, 0)
    else if (status !== 503) tally.problems.push(`an export was answered with ${status}: ${text}`)
    await pause(Math.random() * 40)
  }
}

/** A program that attaches, makes some calls of which one is held and released, and goes away. */
const program: Worker = async ({ url, ingestUrl }, tally, isOver) => {
  while (!isOver()) {
    const session = createSession({ url: ingestUrl, enabled: true, loopGuard: false, env: {}, logger: { warn: () => undefined } })
    if (!(await session.ready({ timeoutMs: 20_000 }))) tally.problems.push('a program could not attach')
    await session.run('soak', async ({ runId }) => {
      for (let call = 0; call < 20; call++) {
        const node = { nodeId: 'tool:search', kind: 'tool', name: 'search', instanceId: `call-${call}` } as const
        session.emit('node.started', { ...node, input: { query: 'x'.repeat(500) } }, { runId })
        if (call === 10) {
          const released = session.gate('error', node, { error: { name: 'Error', message: 'soak' } })
          await release(url, runId, tally)
          await released
        }
        session.emit('node.finished', { ...node, output: 'y'.repeat(500), durationMs: 1, status: 'ok' }, { runId })
      }
    })
    await session.dispose()
    await pause(Math.random() * 100)
  }
}

async function release(url: string, runId: string, tally: Tally): Promise<void> {
  for (;;) {
    const { pauses } = (await (await fetch(`${url}/api/pauses?runId=${runId}&wait=5`)).json()) as {
      pauses: { payload: { pauseId: string } }[]
    }
    const [held] = pauses
    if (held === undefined) continue
    const answer = await fetch(`${url}/api/runs/${runId}/pauses/${held.payload.pauseId}/resume`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ action: 'continue' }),
    })
    if (answer.status === 200) tally.holds += 1
    else tally.problems.push(`a release was answered with ${answer.status}: ${await answer.text()}`)
    return
  }
}

/** A viewer that looks at the list and at some runs, reads slowly now and then, and closes its page without a word. */
const viewer: Worker = async ({ url }, tally, isOver) => {
  while (!isOver()) {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/ws/ui`)
    await new Promise((resolve, reject) => {
      socket.addEventListener('open', resolve, { once: true })
      socket.addEventListener('error', () => reject(new Error('a viewer could not connect')), { once: true })
    })
    socket.addEventListener('message', ({ data }) => {
      tally.frames += 1
      const message = JSON.parse(String(data)) as { type: string; runs?: { id: string }[] }
      if (message.type !== 'runs') return
      for (const { id } of (message.runs ?? []).slice(0, 3)) socket.send(JSON.stringify({ type: 'subscribe', runId: id }))
    })
    socket.send(JSON.stringify({ type: 'subscribe', runId: '*' }))
    tally.visits += 1
    await pause(200 + Math.random() * 1500)
    socket.close()
  }
}

/** Scripts that ask: the list in pages, a run whole, a search, an export. */
const reader: Worker = async ({ url }, tally, isOver) => {
  while (!isOver()) {
    const { runs } = (await (await fetch(`${url}/api/runs?limit=20`)).json()) as { runs: { id: string }[] }
    const run = runs[Math.floor(Math.random() * runs.length)]
    const paths =
      run === undefined ? ['/health'] : ['', '/events?limit=50', '/spans?limit=100', '/export'].map((path) => `/api/runs/${run.id}${path}`)
    for (const path of paths) {
      const answer = await fetch(`${url}${path}`)
      await answer.arrayBuffer()
      tally.reads += 1
      // A run may have been pruned since it was listed.
      if (answer.status !== 200 && answer.status !== 404) tally.problems.push(`${path} was answered with ${answer.status}`)
    }
    await pause(Math.random() * 200)
  }
}

const WORKERS: readonly Worker[] = [exporter, exporter, program, viewer, viewer, viewer, reader]

/** Runs all of it until it is over. */
export async function load(collector: RunningCollector, isOver: () => boolean): Promise<Tally> {
  const tally: Tally = { spans: 0, holds: 0, visits: 0, frames: 0, reads: 0, problems: [] }
  const guarded = WORKERS.map(async (worker) => {
    try {
      await worker(collector, tally, () => isOver() || tally.problems.length > 10)
    } catch (error) {
      tally.problems.push(String(error))
    }
  })
  await Promise.all(guarded)
  return tally
}
