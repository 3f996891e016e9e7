import type { EditedKeys, Validation } from '../gate/edit.ts'

/** The part of the Standard Schema interface (standardschema.dev, version 1) that a check needs. */
export interface StandardSchema {
  readonly '~standard': { validate(value: unknown): StandardResult | Promise<StandardResult> }
}

type StandardResult =
  | { readonly value: unknown; readonly issues?: undefined }
  | {
      readonly issues: readonly {
        readonly message: string
        readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
      }[]
    }

// ArkType's schemas are functions.
export function isStandardSchema(schema: unknown): schema is StandardSchema {
  if ((typeof schema !== 'object' && typeof schema !== 'function') || schema === null || !('~standard' in schema)) return false
  const standard = schema['~standard']
  return typeof standard === 'object' && standard !== null && 'validate' in standard && typeof standard.validate === 'function'
}

/** Checks the whole input; what the schema transformed is used only for edited keys, for the others went through it once already. */
export async function validateByStandardSchema(schema: StandardSchema, input: unknown, edited: EditedKeys): Promise<Validation> {
  const result = await schema['~standard'].validate(input)
  if (result.issues !== undefined) {
    const [issue] = result.issues
    const path = issue?.path?.map((part) => String(typeof part === 'object' ? part.key : part)).join('.') ?? ''
    const message = issue?.message ?? 'The edited input does not fit the schema.'
    return { ok: false, message: path === '' ? message : `${path}: ${message}` }
  }
  const { value } = result
  if (edited === 'all' || !isRecord(input) || !isRecord(value)) return { ok: true, value }
  const parsed = Object.fromEntries(edited.filter((key) => key in value).map((key) => [key, value[key]]))
  return { ok: true, value: { ...input, ...parsed } }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
