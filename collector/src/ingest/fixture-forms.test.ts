import { describe, expect, it } from 'vitest'
import type { DecodedSpan } from '../otlp/decode.ts'
import { canonical } from '../testing/assembly.ts'
import { childFirst, type Fixture, fixtures, started, throughProtobuf } from '../testing/fixture-forms.ts'
import { TestStore } from '../testing/store.ts'

/** Each a way in which the same spans and records may arrive: batches, one commit each. */
const FORMS: readonly (readonly [form: string, arrive: (fixture: Fixture, take: Take, restart: () => void) => void])[] = [
  [
    'one span at a time, child first',
    ({ spans, logs }, take) => {
      for (const span of childFirst(spans)) take([span], [])
      take([], logs)
    },
  ],
  [
    'starts before ends',
    ({ spans, logs }, take) => {
      const byStart = [...spans].sort(({ view: one }, { view: other }) => Number(one.startNanos - other.startNanos))
      for (const span of byStart) take([started(span)], [])
      for (const span of childFirst(spans)) take([span], [])
      take([], logs)
    },
  ],
  ['as protobuf', ({ spans, logs }, take) => take(spans.map(throughProtobuf), logs)],
  [
    'records before spans, one by one',
    ({ spans, logs }, take) => {
      for (const log of logs) take([], [log])
      for (const span of spans) take([span], [])
    },
  ],
  [
    'everything twice, with a restart between',
    ({ spans, logs }, take, restart) => {
      take(spans.slice(0, spans.length / 2), logs)
      restart()
      take(spans, logs)
    },
  ],
]

type Take = (spans: readonly DecodedSpan[], logs: Fixture['logs']) => void

function pictureOf(arrive: (take: Take, restart: () => void) => void): object {
  const store = new TestStore()
  arrive(
    (spans, logs) =>
      void store.ingest.commit(() => {
        for (const span of spans) store.ingest.addSpan(span)
        for (const log of logs) store.ingest.addLog(log)
      }),
    () => void store.restarted(),
  )
  const runIds = store.database.prepare('SELECT id FROM runs ORDER BY id').all()
  return runIds.map((row) => canonical(store.picture(String(row['id']))))
}

describe.each(fixtures().map((fixture) => [fixture.name, fixture] as const))('%s', (_name, fixture) => {
  const whole = pictureOf((take) => take(fixture.spans, fixture.logs))
  it.each(FORMS)('gives the same picture %s', (_form, arrive) => {
    expect(pictureOf((take, restart) => arrive(fixture, take, restart))).toEqual(whole)
  })
})
