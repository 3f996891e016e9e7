import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { JobQueue } from '../../ingest/job-queue.ts'
import { openReader } from '../../store/database.ts'
import { findRun } from '../../store/reads/runs.ts'
import { openWriter } from '../../store/writing-database.ts'
import { type TestSpan, TRACE, traceRequest } from '../../testing/spans.ts'
import { deriveRun } from './derive-run.ts'

describe('a run whose spans are stored and not read yet', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'graphmind-derive-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  it('is read before it is exported, also without a server', async () => {
    const path = join(folder, 'runs.db')
    const opened = openWriter(path)
    if (!opened.ok) throw new Error(opened.problem.message)
    const queue = new JobQueue(
      opened.value,
      () => 1_767_225_600_000,
      () => undefined,
      () => undefined,
    )
    const spans = Array.from({ length: 200 }, (_, index): TestSpan => ({ id: index + 1, type: 'tool', start: index, end: index + 1 }))
    const body = new Uint8Array(Buffer.from(JSON.stringify(traceRequest(spans))))
    queue.add({ kind: 'export', id: 1, signal: 'traces', format: 'json', encoding: 'identity', body })
    queue.turn()
    opened.value.close()
    const reader = openReader(path)
    expect(await findRun(reader, TRACE)).toMatchObject({ waiting: 200, event_count: 0 })
    expect(await deriveRun(path, TRACE)).toMatchObject({ ok: true })
    expect(await findRun(reader, TRACE)).toMatchObject({ waiting: 0, span_count: 200 })
    await reader.destroy()
  })
})
