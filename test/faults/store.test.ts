import { closeSync, fstatSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type RunningCollector, startCollector } from '../support/collector.ts'
import { eventually } from '../support/eventually.ts'
import { failingStart } from './support/failing-start.ts'
import { mountTmpfs, NO_TMPFS } from './support/tmpfs.ts'
import { deliver, incomplete, type SentRun, traceRequest } from './support/traces.ts'

/** What the viewer tells on every screen. */
async function storeProblem(url: string): Promise<unknown> {
  const answer = (await (await fetch(`${url}/api/server`)).json()) as { readonly store: { readonly problem: unknown } }
  return answer.store.problem
}

describe('a collector whose store can’t', () => {
  let folder: string
  let database: string
  let running: RunningCollector | undefined
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'graphmind-store-'))
    database = join(folder, 'graphmind.db')
  })
  afterEach(async () => {
    await running?.stop()
    running = undefined
    rmSync(folder, { recursive: true, force: true })
  })
  const start = async (where = folder): Promise<RunningCollector> => {
    running = await startCollector([], { folder: where })
    return running
  }
  /** A file that a collector made and left. */
  const leaveFile = async (): Promise<readonly SentRun[]> => {
    const { url, stop } = await start()
    const { runs, body } = traceRequest(4, 10)
    expect((await deliver(url, body)).status).toBe(200)
    await stop()
    running = undefined
    return runs
  }

  it('asks exporters to come back while the disk is full, and takes their spans when there is room again', async ({ skip }) => {
    const disk = mountTmpfs('size=6m')
    if (disk === undefined) return skip(NO_TMPFS)
    try {
      const collector = await start(disk.folder)
      const answered: SentRun[] = []
      const refused = await eventually(async () => {
        const { runs, body } = traceRequest(4, 10, 8000)
        const answer = await deliver(collector.url, body)
        if (answer.status === 200) answered.push(...runs)
        return answer.status === 200 ? undefined : { ...answer, runs, body }
      }, 'the disk to be full')
      expect([refused.status, Number(refused.retryAfter) > 0]).toEqual([503, true])
      expect(refused.text).toMatch(/full\. Make room/)
      expect(await storeProblem(collector.url)).toMatch(/full\. Make room/)
      expect(await incomplete(collector, answered)).toEqual([])
      disk.remount('size=64m')
      await eventually(
        async () => ((await deliver(collector.url, refused.body)).status === 200 ? true : undefined),
        'the spans to be taken',
      )
      expect(await incomplete(collector, [...answered, ...refused.runs])).toEqual([])
      expect(await storeProblem(collector.url)).toBe(null)
      await collector.stop()
      running = undefined
    } finally {
      disk.remove()
    }
  })

  it('asks exporters to come back while another program locks the file, and goes on by itself afterwards', async () => {
    const collector = await start()
    const other = new DatabaseSync(database)
    other.exec('BEGIN IMMEDIATE')
    const { runs, body } = traceRequest(2, 5)
    const refused = await deliver(collector.url, body)
    expect([refused.status, Number(refused.retryAfter) > 0]).toEqual([503, true])
    expect(refused.text).toMatch(/locked\. Close it/)
    expect((await fetch(`${collector.url}/api/runs`)).status).toBe(200)
    other.exec('ROLLBACK')
    other.close()
    expect((await deliver(collector.url, body)).status).toBe(200)
    expect(await incomplete(collector, runs)).toEqual([])
  })

  it('says that it may not write where the folder is read-only', async ({ skip }) => {
    const disk = mountTmpfs('size=1m,ro')
    if (disk === undefined) return skip(NO_TMPFS)
    try {
      const { exitCode, output } = await failingStart(join(disk.folder, 'graphmind.db'))
      expect(exitCode).toBe(1)
      expect(output).toMatch(/graphmind: Can't open the database .*read-only.*--db/)
      expect(output).not.toMatch(/\n {4}at /)
    } finally {
      disk.remove()
    }
  })

  it('leaves the file of a newer GraphMind alone, and says what to do', async () => {
    await leaveFile()
    const file = new DatabaseSync(database)
    file.exec('PRAGMA user_version = 999')
    file.close()
    const before = readFileSync(database)
    const { exitCode, output } = await failingStart(database)
    expect(exitCode).toBe(1)
    expect(output).toMatch(/written by a newer GraphMind.*Update GraphMind, or name another file with --db/)
    expect(readFileSync(database).equals(before)).toBe(true)
  })

  it('leaves a damaged file alone, and says what to do', async () => {
    await leaveFile()
    writeFileSync(database, Buffer.alloc(32_768, 0x5a))
    const { exitCode, output } = await failingStart(database)
    expect(exitCode).toBe(1)
    expect(output).toMatch(/graphmind: .*graphmind\.db is damaged, or no database at all.*[Mm]ove it away.*--db/)
    expect(readFileSync(database).equals(Buffer.alloc(32_768, 0x5a))).toBe(true)
  })

  it('shows what can be read of a file that was damaged in the middle, and says of the rest what to do', async () => {
    const { url, stop } = await start()
    const sent: SentRun[] = []
    for (let requests = 0; requests < 30; requests++) {
      const { runs, body } = traceRequest(4, 10, 4000)
      expect((await deliver(url, body)).status).toBe(200)
      sent.push(...runs)
    }
    await stop()
    const again = await start()
    // While it runs: these pages hold spans and events, those at the front tell SQLite what is where.
    const file = openSync(database, 'r+')
    const { size } = fstatSync(file)
    writeSync(file, Buffer.alloc(Math.floor(size * 0.06), 0x5a), 0, undefined, Math.floor(size * 0.85))
    closeSync(file)
    const answers = await Promise.all(
      sent.map(async ({ traceId }) => {
        const answer = await fetch(`${again.url}/api/runs/${traceId}/spans`)
        return { status: answer.status, text: await answer.text() }
      }),
    )
    expect([...new Set(answers.map(({ status }) => status))].sort()).toEqual([200, 503])
    const refusal = answers.find(({ status }) => status === 503)
    expect(refusal?.text).toMatch(/is damaged .*Export the runs that can still be read.*move the file away/)
    expect((await fetch(`${again.url}/health`)).status).toBe(200)
    const { status, text } = await deliver(again.url, traceRequest(2, 5).body)
    expect(status === 200 || (status === 503 && /is damaged/.test(text))).toBe(true)
    expect(again.program.child.exitCode).toBeNull()
  })

  it('refuses a file that another collector has, and says where that one is', async () => {
    const collector = await start()
    const { exitCode, output } = await failingStart(database)
    expect(exitCode).toBe(1)
    expect(output).toContain(collector.url)
    const { runs, body } = traceRequest(1, 3)
    expect((await deliver(collector.url, body)).status).toBe(200)
    expect(await incomplete(collector, runs)).toEqual([])
  })

  it('lets only one of several have a file when they start in the same instant', async () => {
    const starts = await Promise.allSettled(Array.from({ length: 4 }, () => startCollector([], { folder })))
    const started = starts.filter((start) => start.status === 'fulfilled')
    const refused = starts.filter((start) => start.status === 'rejected')
    running = started[0]?.value
    expect([started.length, refused.length]).toEqual([1, 3])
    for (const { reason } of refused) expect(String(reason)).toMatch(/graphmind: (GraphMind is running at|Another graphmind)/)
  })

  it('starts on the file of one that was killed', async () => {
    const first = await start()
    first.program.child.kill('SIGKILL')
    await first.program.exited
    const second = await start()
    expect((await deliver(second.url, traceRequest(1, 3).body)).status).toBe(200)
  })
})
