import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { exportJsonSchema, exportJsonSchemaString } from './json-schema.ts'

const GOLDEN = new URL('../schema.json', import.meta.url)

describe('the exported JSON Schema', () => {
  it('is exactly schema.json; UPDATE_GOLDEN=1 rewrites that file', () => {
    if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(GOLDEN, exportJsonSchemaString())
    expect(
      existsSync(GOLDEN),
      'control/schema/schema.json is missing. Write it with UPDATE_GOLDEN=1 and look at it before you keep it.',
    ).toBe(true)
    expect(exportJsonSchemaString()).toBe(readFileSync(GOLDEN, 'utf8'))
  })

  it('is draft 2020-12, refers only to what it defines, and is the same each time', () => {
    const schema = exportJsonSchema()
    expect(schema['$schema']).toBe('https://json-schema.org/draft/2020-12/schema')
    const text = exportJsonSchemaString()
    expect(text).toBe(exportJsonSchemaString())
    const names = Object.keys(schema['$defs'] as object)
    const references = [...text.matchAll(/"\$ref": "#\/\$defs\/([^"]+)"/g)].map((match) => match[1])
    expect(names).toEqual(expect.arrayContaining(references))
    expect(references.length).toBeGreaterThan(18)
  })

  it('closes no object: unknown fields are allowed everywhere', () => {
    expect(exportJsonSchemaString()).not.toContain('"additionalProperties": false')
  })
})
