import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = new URL('../../', import.meta.url)
const read = (path: string) => readFileSync(fileURLToPath(new URL(path, root)), 'utf8')
const rows = [...read('docs/security.md').matchAll(/^\|[^|]*\| `([^`]+\.test\.tsx?)`: (.+) \|$/gm)].map(([, file = '', name = '']) => ({
  file,
  name,
}))

describe('the page of promises', () => {
  it('names a test for each', () => expect(rows.length).toBeGreaterThan(40))

  it.each(rows)('names one that is there: $file: $name', ({ file, name }) => {
    expect(read(file)).toContain(name)
  })
})
