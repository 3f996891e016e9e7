/** An object of JSON whose keys are not known. */
export type Fields = { readonly [key: string]: unknown }

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
