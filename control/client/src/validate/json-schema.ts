import { loadRegex } from '@graphmind-ai/schema/conditions'
import type { AnySchema, ValidateFunction } from 'ajv'
import type { Validation } from '../gate/edit.ts'

export type JsonSchema = { readonly [key: string]: unknown }

const KEYWORDS = ['type', 'properties', 'required', '$schema', '$ref', 'anyOf', 'oneOf', 'allOf', 'enum', 'const', 'additionalProperties']
const DRAFT_7 = /draft-0[67]/

export function isJsonSchema(schema: unknown): schema is JsonSchema {
  return typeof schema === 'object' && schema !== null && !Array.isArray(schema) && KEYWORDS.some((keyword) => keyword in schema)
}

const compiled = new WeakMap<JsonSchema, Promise<ValidateFunction>>()

/** Checks an input by a JSON Schema, with Ajv, which is loaded by the first such check. Rejects for a schema that can't be used. */
export async function validateByJsonSchema(schema: JsonSchema, input: unknown): Promise<Validation> {
  const known = compiled.get(schema) ?? compile(schema)
  compiled.set(schema, known)
  const check = await known
  if (check(input)) return { ok: true, value: input }
  const [issue] = check.errors ?? []
  const path = (issue?.instancePath ?? '').slice(1).replaceAll('/', '.')
  return { ok: false, message: `${path === '' ? 'The input' : path} ${issue?.message ?? 'does not fit the schema'}.` }
}

async function compile(schema: JsonSchema): Promise<ValidateFunction> {
  const isDraft7 = DRAFT_7.test(String(schema['$schema'] ?? ''))
  const [{ default: ajv }, regex] = await Promise.all([isDraft7 ? import('ajv') : import('ajv/dist/2020.js'), loadRegex()])
  const Ajv = 'default' in ajv ? ajv.default : ajv
  // A schema may come from a server the program only talks to: its patterns must not be able to stall the program.
  const regExp = Object.assign(
    (pattern: string) => {
      const read = regex(pattern)
      if (!read.ok) throw new Error(read.problem)
      // Ajv keeps patterns apart by their text.
      return { test: read.test, toString: () => pattern }
    },
    { code: 'safeRegExp' },
  )
  const checker = new Ajv({ strict: false, validateFormats: false, addUsedSchema: false, logger: false, code: { regExp } })
  return checker.compile(schema as AnySchema)
}
