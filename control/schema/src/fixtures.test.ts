import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { fromJSONSchema } from 'zod'
import { CONTROLS } from './controls/index.ts'
import { EVENTS } from './events/index.ts'
import { exportJsonSchema } from './json-schema.ts'
import { parseEnvelope, parseFrame } from './parse.ts'

const ROOT = new URL('../fixtures/v1/', import.meta.url)
const MESSAGES = [...EVENTS, ...CONTROLS]

interface Fixture {
  readonly outcome: string
  readonly at?: string
  readonly envelope: unknown
}

const folders = readdirSync(ROOT).sort()
const fixtures = folders.flatMap((folder) =>
  readdirSync(new URL(`${folder}/`, ROOT)).map((file) => {
    const fixture: Fixture = JSON.parse(readFileSync(new URL(`${folder}/${file}`, ROOT), 'utf8'))
    return { name: `${folder}/${file}`, ...fixture }
  }),
)

describe('the wire fixtures', () => {
  it('have a folder for every message, and only for those', () => {
    expect(folders).toEqual([...MESSAGES.map((message) => message.type), 'envelope'].sort())
  })

  it.each(MESSAGES.map((message) => message.type))('show %s in full, with extra fields, and broken', (type) => {
    const own = fixtures.filter((fixture) => fixture.name.startsWith(`${type}/`))
    expect(own.map((fixture) => fixture.name)).toEqual(expect.arrayContaining([`${type}/full.json`, `${type}/extra-fields.json`]))
    expect(own.filter((fixture) => fixture.outcome === 'invalid').length).toBeGreaterThan(0)
  })

  it.each(MESSAGES)('$type/full.json names every field this version knows', ({ type, payload }) => {
    const full = fixtures.find((fixture) => fixture.name === `${type}/full.json`)
    const optional = { 'node.started': ['aliasOf'], 'exec.paused': ['loop', 'smart'], 'exec.resume': ['input'] }[type as string] ?? []
    const sent = (full?.envelope as { payload?: object } | undefined)?.payload ?? {}
    expect(Object.keys(sent).sort()).toEqual(
      Object.keys(payload.shape)
        .filter((key) => !optional.includes(key))
        .sort(),
    )
  })

  it.each(fixtures)('$name is parsed as it says', ({ outcome, at, envelope }) => {
    const result = parseEnvelope(envelope)
    expect(result.outcome).toBe(outcome)
    expect(parseFrame(JSON.stringify(envelope))).toEqual(result)
    if (result.outcome === 'invalid') expect(result.issues.map((issue) => issue.path)).toContain(at)
    if (result.outcome === 'ok') expect(result.envelope).toStrictEqual(envelope)
    if (result.outcome === 'unknown-type') expect(result.envelope).toStrictEqual({ payload: {}, ...(envelope as object) })
  })

  it('are judged alike by the exported JSON Schema, but for surrogates, which it cannot speak of', () => {
    const exported = exportJsonSchema()
    // Zod reads no `not`, so the type of unknown messages is said to it as a pattern.
    const types = MESSAGES.map((message) => message.type).join('|')
    const unknown: Parameters<typeof fromJSONSchema>[0] = {
      type: 'object',
      properties: { type: { type: 'string', pattern: `^(?!(${types})$)` } },
    }
    const schema = fromJSONSchema({ ...exported, $defs: { ...(exported['$defs'] as object), 'unknown-type': unknown } })
    for (const { name, outcome, envelope } of fixtures) {
      if (name.endsWith('invalid-run-id-lone-surrogate.json')) continue
      expect([name, schema.safeParse(envelope).success]).toEqual([name, outcome === 'ok' || outcome === 'unknown-type'])
    }
  })
})
