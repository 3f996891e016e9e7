import { isFields } from './json-fields.ts'

// Node 22 has both halves of the JSON source text proposal; the type library does not know them yet.
declare global {
  interface JSON {
    rawJSON(text: string): unknown
    parse(text: string, reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown): unknown
  }
}

/** Reads JSON so that writing it again keeps every number as it was spelled: a 64-bit id must survive an edit beside it. */
export function parseExact(text: string): unknown {
  return JSON.parse(text, (_key: string, value: unknown, { source }: { readonly source?: string }) =>
    typeof value === 'number' && source !== undefined ? JSON.rawJSON(source) : value,
  )
}

/** The `id` of a request, to be written into an answer exactly as the sender spelled it. */
export function exactId(request: Buffer): unknown {
  const frame = parseExact(request.toString('utf8'))
  return isFields(frame) ? frame['id'] : undefined
}
