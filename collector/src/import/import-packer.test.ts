import { describe, expect, it } from 'vitest'
import { type TestSpan, traceRequest } from '../testing/spans.ts'
import { TestStore } from '../testing/store.ts'
import { ImportJob } from './import-job.ts'

const never = () => false
const trace = (id: number) => id.toString(16).padStart(32, '0')
const text = 'x'.repeat(200_000)
/** One span of 200 KB; spans of a trace are children of its first. */
const span = (run: number, id: number): TestSpan => ({
  ...{ id: run * 1000 + id, trace: trace(run), type: 'tool', start: id, end: id + 1, attributes: { text } },
  ...(id === 1 ? {} : { parent: run * 1000 + 1 }),
})

function importer() {
  const store = new TestStore()
  const job = new ImportJob(store.ingest)
  const rows = (table: string, runId: number) =>
    Number(
      store.database.prepare(`SELECT count(*) AS count FROM ${table} WHERE run = (SELECT key FROM runs WHERE id = ?)`).get(trace(runId))?.[
        'count'
      ],
    )
  return {
    store,
    inRows: (runId: number) => rows('spans', runId) + rows('events', runId) > 0,
    spans: (runId: number) => store.picture(trace(runId)).instances.size,
    take: (...spans: readonly TestSpan[]) =>
      store.ingest.commit(() => {
        job.take(Buffer.from(`${JSON.stringify(traceRequest(spans))}\n`))
        job.packEarlier(never)
      }),
    finish(isEnough: () => boolean) {
      let done: ReturnType<ImportJob['finish']> | undefined
      store.ingest.commit(() => {
        done = job.finish(isEnough)
      })
      return done
    },
  }
}

describe('an import', () => {
  it('packs runs that ended while it reads on, and leaves those in rows that something came for just now', () => {
    const { take, inRows } = importer()
    for (let run = 1; run <= 30; run++) take(span(run, 1))
    expect(inRows(1)).toBe(false)
    expect(inRows(30)).toBe(true)
  })

  it('leaves a large run in rows for longer, so that one it comes back to is not packed again and again', () => {
    const { take, inRows } = importer()
    take(...Array.from({ length: 1400 }, (_, id) => ({ ...span(1, id + 1), attributes: {} })))
    for (let run = 2; run <= 26; run++) take(span(run, 1))
    expect(inRows(1)).toBe(true)
    expect(inRows(2)).toBe(false)
    for (let run = 27; run <= 32; run++) take(span(run, 1))
    expect(inRows(1)).toBe(false)
  })

  it('goes on with a run that was packed', () => {
    const { take, inRows, spans } = importer()
    for (let run = 1; run <= 30; run++) take(span(run, 1))
    take(span(1, 2))
    expect(inRows(1)).toBe(true)
    expect(spans(1)).toBe(2)
  })

  it('has packed everything when it is over, and tells how far it is', () => {
    const { take, finish, inRows, spans } = importer()
    take(...Array.from({ length: 600 }, (_, id) => ({ ...span(1, id + 1), attributes: {} })), { ...span(2, 1), end: undefined as never })
    expect(finish(never)).not.toHaveProperty('runIds')
    const said: unknown[] = []
    for (let done = finish(once()); done !== undefined; done = finish(once())) {
      if ('runIds' in done) {
        expect(done.runIds).toHaveLength(2)
        break
      }
      said.push(done.packing?.done)
      expect(done.packing?.done).toBeLessThanOrEqual(done.packing?.of ?? 0)
    }
    expect(said.length).toBeGreaterThan(2)
    expect([inRows(1), inRows(2)]).toEqual([false, false])
    expect(spans(1)).toBe(600)
  })
})

/** Enough after one piece of work. */
function once(): () => boolean {
  let asked = 0
  return () => asked++ > 0
}
