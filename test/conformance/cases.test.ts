import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Case } from '../support/cases/expectation.ts'
import { runPart } from '../support/cases/run-part.ts'
import { type RunningCollector, startCollector } from '../support/collector.ts'
import { root } from '../support/process.ts'

const FOLDER = join(root, 'test', 'cases')

let collector: RunningCollector
beforeAll(async () => {
  collector = await startCollector()
})
afterAll(() => collector.stop())

for (const name of readdirSync(FOLDER, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name)) {
  const folder = join(FOLDER, name)
  const { title, parts } = JSON.parse(readFileSync(join(folder, 'expect.json'), 'utf8')) as Case
  // Scenarios for the live channel need programs and viewers; the tests of the control channel run them.
  const read = parts.filter(({ given }) => given.control === undefined)
  if (read.length === 0) continue
  describe(`case ${name}: ${title}`, () => {
    it.for(read)('$name', async (part) => {
      expect(await runPart(collector.url, folder, part)).toEqual([])
    })
  })
}
