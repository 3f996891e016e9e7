import type { Validate } from '../gate/edit.ts'
import { isJsonSchema, validateByJsonSchema } from './json-schema.ts'
import { isStandardSchema, validateByStandardSchema } from './standard-schema.ts'

/**
 * The check of edited inputs that a tool's own schema gives: a Standard Schema (Zod, Valibot, ArkType and others) or a JSON Schema.
 * Undefined for anything else; then edits are not checked.
 */
export function validatorFor(schema: unknown): Validate | undefined {
  if (isStandardSchema(schema)) return (input, edited) => validateByStandardSchema(schema, input, edited)
  if (isJsonSchema(schema)) return (input) => validateByJsonSchema(schema, input)
  return undefined
}
