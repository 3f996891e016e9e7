import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import type { RunInfo } from '@graphmind-ai/schema'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startCollector } from '../support/collector.ts'
import { root, startProgram } from '../support/process.ts'

const CASES = join(root, 'test', 'cases')
const JAEGER = join(CASES, '10-jaeger-export', 'trace.json')
const JAEGER_RUN = '00abc0de000000000000000000000011'
const CUT_LINES = join(CASES, '06-jsonl-file-exporter', 'traces.jsonl')

let folder: string
let database: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'graphmind-import-'))
  database = join(folder, 'graphmind.db')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

interface Ran {
  readonly code: number | null
  readonly output: string
}

async function graphmind(...args: readonly string[]): Promise<Ran> {
  const program = startProgram([join(root, 'collector', 'bin', 'graphmind.js'), ...args, '--db', database])
  const code = await program.exited
  return { code, output: program.output() }
}

interface Imported {
  readonly runs: readonly (RunInfo & { readonly url: string })[]
  readonly skipped: readonly { readonly file: string; readonly line: number | null; readonly reason: string }[]
}

async function imported(...files: readonly string[]): Promise<Imported> {
  const { code, output } = await graphmind('import', ...files, '--json')
  expect({ code, output }).toMatchObject({ code: 0 })
  return JSON.parse(output) as Imported
}

describe('graphmind import', () => {
  it('prints a line and a link for each run', async () => {
    const { code, output } = await graphmind('import', JAEGER)
    expect(code).toBe(0)
    expect(output).toContain(`http://127.0.0.1:4747/run/${JAEGER_RUN}`)
    expect(output).toMatch(/ok, 6 nodes, 1 error, 10 spans, 600 ms/)
  })

  it('takes folders, packed files and stdin, and names what it skipped with file and line', async () => {
    const inside = join(folder, 'traces', 'deeper')
    mkdirSync(inside, { recursive: true })
    writeFileSync(join(inside, 'jaeger.json.gz'), gzipSync(readFileSync(JAEGER)))
    writeFileSync(join(folder, 'traces', 'lines.jsonl.zst'), zstdCompressSync(readFileSync(CUT_LINES)))
    writeFileSync(join(folder, 'traces', 'notes.txt'), 'nothing to see')
    const { runs, skipped } = await imported(join(folder, 'traces'))
    expect(runs.map(({ spanCount }) => spanCount).sort()).toEqual([10, 2, 3])
    expect(skipped).toEqual([
      expect.objectContaining({ file: join(folder, 'traces', 'lines.jsonl.zst'), line: 7 }),
      expect.objectContaining({ file: join(folder, 'traces', 'notes.txt'), reason: expect.stringContaining('Known formats') }),
    ])
  })

  it('keeps what stands before the damage of a packed file', async () => {
    const file = join(folder, 'cut.jsonl.gz')
    const [line = ''] = readFileSync(CUT_LINES, 'utf8').split('\n')
    const packed = gzipSync(`${line}\n`.repeat(2000))
    writeFileSync(file, packed.subarray(0, -20))
    const { runs, skipped } = await imported(file)
    expect(runs).toHaveLength(1)
    expect(skipped.map(({ reason }) => reason).join()).toContain('gzip packing is damaged or ends early')
  })

  it('says in one sentence why nothing could be read, and exits with 1', async () => {
    const { code, output } = await graphmind('import', join(CASES, '08-not-a-trace', 'page.json'))
    expect(code).toBe(1)
    expect(output).toMatch(
      /^graphmind: .*page\.json holds no trace in a known format \(the file is a web page or XML\)\. Known formats: OTLP/,
    )
  })

  it('goes through the server that has the database, which shows the run at once', async () => {
    const collector = await startCollector([], { folder })
    try {
      const { runs } = await imported(JAEGER)
      expect(runs[0]?.url).toBe(`${collector.url}/run/${JAEGER_RUN}`)
      expect((await collector.runs()).map(({ id, source }) => ({ id, source }))).toEqual([{ id: JAEGER_RUN, source: 'import' }])
      const before = await collector.events(JAEGER_RUN)
      await imported(JAEGER)
      expect(await collector.events(JAEGER_RUN)).toEqual(before)
    } finally {
      await collector.stop()
    }
    // The server took its lock away: the command opens the file itself again.
    expect((await imported(CUT_LINES)).runs).toHaveLength(2)
  })
})

describe('graphmind export', () => {
  it.for(['otlp-json', 'otlp-proto', 'ndjson'])('gives a file as %s that imports to the same run', async (format) => {
    const [before] = (await imported(JAEGER)).runs
    const file = join(folder, 'run.out')
    expect(await graphmind('export', JAEGER_RUN, '--format', format, '--out', file)).toMatchObject({ code: 0 })
    database = join(folder, 'other.db')
    const [after] = (await imported(file)).runs
    const facts = ({ id, name, app, status, nodeCount, errorCount, usage, startedAt, durationMs, source }: RunInfo) => ({
      ...{ id, name, app, status, nodeCount, errorCount, usage, startedAt, durationMs, source },
    })
    expect(after && facts(after)).toEqual(before && facts(before))
  })

  it('serves the same over HTTP', async () => {
    await imported(JAEGER)
    const collector = await startCollector([], { folder })
    try {
      const answer = await fetch(`${collector.url}/api/runs/${JAEGER_RUN}/export?format=otlp-json`)
      expect(answer.headers.get('content-disposition')).toContain(`graphmind-run-${JAEGER_RUN}.json`)
      const { output } = await graphmind('export', JAEGER_RUN)
      expect(await answer.text()).toBe(output)
      expect((await fetch(`${collector.url}/api/runs/nobody/export`)).status).toBe(404)
      expect((await fetch(`${collector.url}/api/runs/${JAEGER_RUN}/export?format=xml`)).status).toBe(400)
    } finally {
      await collector.stop()
    }
  })

  it('names the latest runs when it does not know the one asked for', async () => {
    await imported(JAEGER)
    const { code, output } = await graphmind('export', 'nobody')
    expect(code).toBe(1)
    expect(output).toContain(JAEGER_RUN)
  })
})

describe('graphmind remap', () => {
  it('finds nothing to correct in runs that were read by the same version', async () => {
    await imported(JAEGER, CUT_LINES)
    expect(await graphmind('remap')).toMatchObject({ code: 0, output: expect.stringContaining('3 runs read again: nothing to correct') })
  })
})
