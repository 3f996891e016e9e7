import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createSession } from '@graphmind-ai/client'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type RunningCollector, startCollector } from '../support/collector.ts'
import { eventually } from '../support/eventually.ts'
import { deliver, incomplete, type SentRun, traceRequest } from './support/traces.ts'

// `npm run faults` sets these; alone, the tests are the short form.
const KILLS = Number(process.env['FAULTS_KILLS'] ?? 3)
const RUNS = Number(process.env['FAULTS_RUNS'] ?? 60)

describe('a collector that is killed', () => {
  let folder: string
  let running: RunningCollector | undefined
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'graphmind-killed-'))
  })
  afterEach(async () => {
    await running?.stop()
    running = undefined
    rmSync(folder, { recursive: true, force: true })
  })
  const start = async (port = 0): Promise<RunningCollector> => {
    // More runs than are kept may be answered for in the time that fifty kills take.
    running = await startCollector(['--port', String(port)], { folder, env: { GRAPHMIND_RETENTION: 'off' } })
    return running
  }
  const kill = async ({ program }: RunningCollector) => {
    program.child.kill('SIGKILL')
    await program.exited
  }

  it('has every run whole that was answered with 200, with no repair', async () => {
    const collector = await start()
    const requests = Array.from({ length: Math.ceil(RUNS / 4) }, () => traceRequest(4, 20))
    const answers = await Promise.all(requests.map(({ body }) => deliver(collector.url, body)))
    await kill(collector)
    expect(answers.map(({ status }) => status)).toEqual(requests.map(() => 200))
    const again = await start()
    expect(
      await incomplete(
        again,
        requests.flatMap(({ runs }) => runs),
      ),
    ).toEqual([])
    expect((await again.runs()).filter(({ nodeCount, spanCount }) => nodeCount === 0 || spanCount !== 20)).toEqual([])
  })

  it(`keeps what it answered for when it is killed at ${KILLS} random moments under load`, {
    timeout: 60_000 + KILLS * 20_000,
  }, async () => {
    const answered: SentRun[] = []
    for (let kills = 0; kills < KILLS; kills++) {
      const collector = await start()
      const load = Promise.all(
        Array.from({ length: 4 }, async () => {
          for (;;) {
            const { runs, body } = traceRequest(3, 10)
            const { status } = await deliver(collector.url, body)
            if (status === 200) answered.push(...runs)
            if (status === undefined) return
          }
        }),
      )
      // The random moment is the point here; nothing is expected to have happened by then.
      await pause(100 + Math.random() * 900)
      await kill(collector)
      await load
    }
    const collector = await start()
    expect(await incomplete(collector, answered)).toEqual([])
    expect(answered.length).toBeGreaterThan(0)
  })

  it('keeps the record of a hold, and learns how it went on when its program comes back', async () => {
    const collector = await start()
    const port = Number(new URL(collector.url).port)
    const session = createSession({ url: collector.ingestUrl, enabled: true, retryIntervalMs: 50, env: {} })
    try {
      expect(await session.ready()).toBe(true)
      await breakBeforeTools(collector.url)
      let runId = ''
      const outcome = session.run('held', async (context) => {
        runId = context.runId
        const node = { nodeId: 'tool:search', kind: 'tool', name: 'search', instanceId: 'call-1' } as const
        return (await session.gate('before', node)).action
      })
      const typesIn = async (where: RunningCollector) => (await where.events(runId)).map(({ type }) => type)
      await eventually(async () => ((await typesIn(collector)).includes('exec.paused') ? true : undefined), 'the hold to be stored')
      await kill(collector)
      // The hold lets go by itself: a program must not wait for a debugger that is gone.
      expect(await outcome).toBe('continue')
      const again = await start(port)
      expect(await typesIn(again)).toContain('exec.paused')
      expect((await again.runs()).find(({ id }) => id === runId)?.status).not.toBe('abandoned')
      await eventually(async () => ((await typesIn(again)).includes('exec.resumed') ? true : undefined), 'the end of the hold')
      expect((await typesIn(again)).filter((type) => type.startsWith('exec.'))).toEqual(['exec.paused', 'exec.resumed'])
    } finally {
      await session.dispose()
    }
  })
})

/** Sets a breakpoint as a viewer does, and waits until the hub has it. */
async function breakBeforeTools(url: string): Promise<void> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws/ui`)
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true })
    socket.addEventListener('error', () => reject(new Error(`No viewer socket at ${url}.`)), { once: true })
  })
  const payload = { matcher: { point: 'before', kind: 'tool' } }
  socket.send(JSON.stringify({ type: 'control', envelope: { gm: 1, seq: 0, ts: Date.now(), runId: '*', type: 'breakpoint.set', payload } }))
  await eventually(async () => {
    const answer = await fetch(`${url}/api/breakpoints`)
    return (await answer.text()).includes('"tool"') ? true : undefined
  }, 'the breakpoint')
  socket.close()
}
