import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { DIALECTS, mapSpan } from './registry.ts'
import { spansOfOtlpJson } from './testing/decode-otlp.ts'
import { transcriptOf } from './testing/transcript.ts'

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', 'fixtures')
/** Programs that send log records only, so no span is claimed: `logs/logs.test.ts`. */
const LOG_ONLY = ['codex']
const folders = (path: string) =>
  readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()

const spansOf = (path: string) => {
  const file = ['spans.json', 'spans.jsonl'].map((name) => join(path, name)).find(existsSync)
  if (file === undefined) throw new Error(`${path} has neither spans.json nor spans.jsonl`)
  return spansOfOtlpJson(readFileSync(file, 'utf8'))
}

describe('the fixture folders', () => {
  it('are exactly the dialects of the registry', () => {
    expect(folders(ROOT)).toEqual([...DIALECTS.map((dialect) => dialect.name), ...LOG_ONLY].sort())
  })
})

for (const dialect of folders(ROOT).filter((name) => !LOG_ONLY.includes(name))) {
  describe(dialect, () => {
    for (const name of folders(join(ROOT, dialect))) {
      const path = join(ROOT, dialect, name)
      const spans = spansOf(path)

      it(`reads ${name} as its transcript says`, () => {
        const actual = transcriptOf(spans)
        const golden = join(path, 'expected.txt')
        if (process.env['UPDATE_GOLDEN'] === '1' || (!existsSync(golden) && !process.env['CI'])) writeFileSync(golden, actual)
        expect(actual).toBe(readFileSync(golden, 'utf8'))
      })

      it(`claims a span of ${name}`, () => {
        expect(spans.map((span) => mapSpan(span).dialect)).toContain(dialect)
      })

      it(`knows each node of ${name} by the attributes of its start, before it ends`, () => {
        for (const span of spans) {
          const open = mapSpan({ ...span, endNanos: undefined, status: { code: 'unset', message: undefined }, events: [] })
          const ended = mapSpan(span)
          expect(identityOf(open)).toEqual(identityOf(ended))
          expect('aborted' in open).toBe(false)
        }
      })

      it(`gives values of ${name} that survive JSON`, () => {
        for (const span of spans) {
          const mapped = mapSpan(span)
          expect(JSON.parse(JSON.stringify(mapped))).toEqual(mapped)
        }
      })
    }
  })
}

function identityOf(mapped: ReturnType<typeof mapSpan>) {
  return mapped.role === 'node' ? [mapped.kind, mapped.nodeId, mapped.name] : [mapped.role, mapped.name]
}
