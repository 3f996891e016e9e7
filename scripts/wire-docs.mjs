// Writes docs/wire.md from the message definitions of @graphmind-ai/schema. `--check` only compares.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CONTROLS, EVENTS, exportJsonSchema, PROTOCOL_VERSION } from '../control/schema/dist/index.js'
import { main, root } from './lib/run.mjs'

const path = join(root, 'docs', 'wire.md')

/** `a | b` for a union, the type's name otherwise; what a reader needs, not the whole JSON Schema. */
function typeOf(schema) {
  if (schema.enum) return schema.enum.map((value) => `\`${value}\``).join(' \\| ')
  if (schema.const !== undefined) return `\`${schema.const}\``
  if (schema.$ref) return `\`${schema.$ref.split('/').at(-1)}\``
  if (schema.type === 'array') return `list of ${typeOf(schema.items ?? {})}`
  if (schema.type === 'object' && schema.properties) return `\`{ ${Object.keys(schema.properties).join(', ')} }\``
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' \\| ')
  return schema.type ? `${schema.type}` : 'any'
}

function section({ type, summary, example }, payloads) {
  const payload = payloads[type].properties.payload
  const required = new Set(payload.required ?? [])
  const rows = Object.entries(payload.properties ?? {}).map(
    ([name, schema]) => `| \`${name}\`${required.has(name) ? '' : '?'} | ${typeOf(schema)} |`,
  )
  return [
    `### ${type}`,
    '',
    summary,
    '',
    '| field | type |',
    '| --- | --- |',
    ...rows,
    '',
    '```json',
    JSON.stringify(example),
    '```',
    '',
  ].join('\n')
}

await main(() => {
  const payloads = exportJsonSchema().$defs
  const text = [
    '# Wire messages',
    '',
    `Generated from \`control/schema\` by \`npm run generate\`; protocol version ${PROTOCOL_VERSION}. Every object is loose: unknown fields pass through. A \`?\` marks what may be absent.`,
    '',
    '## From the app',
    '',
    ...EVENTS.map((message) => section(message, payloads)),
    '## To the app',
    '',
    ...CONTROLS.map((message) => section(message, payloads)),
  ].join('\n')
  if (!process.argv.includes('--check')) return void writeFileSync(path, text)
  if (readFileSync(path, 'utf8') !== text) throw new Error('docs/wire.md is not what the schema says. Run npm run generate and commit it.')
})
