import { expect, it } from 'vitest'
import { runInfo } from '../testing/run-info.ts'
import { NOTHING_YET, withLine } from './import-file.ts'

const read = (...lines: readonly unknown[]) => lines.map((line) => JSON.stringify(line)).reduce(withLine, NOTHING_YET)

it('gathers the runs of a file, what was skipped, and how much was read', () => {
  const result = read(
    { progress: { spans: 40, events: 0 } },
    { run: runInfo({ id: 'a' }) },
    { run: runInfo({ id: 'b' }) },
    { skipped: [{ file: 'x.json', line: 3, reason: 'no span' }, { line: 4 }], skippedCount: 9, spans: 60, events: 2, logs: 1 },
  )
  expect(result.runs.map(({ id }) => id)).toEqual(['a', 'b'])
  expect(result).toMatchObject({ skipped: [{ line: 3, reason: 'no span' }], skippedCount: 9, records: 63, problem: undefined })
})

it('keeps why a file was refused', () => {
  expect(read({ error: 'Known formats: OTLP.', code: 'import-unknown' }).problem).toBe('Known formats: OTLP.')
})

it('passes over what it does not understand', () => {
  expect(withLine(NOTHING_YET, '<html>')).toBe(NOTHING_YET)
  expect(read({ run: { no: 'id' } })).toEqual(NOTHING_YET)
})
