// JSON text holds no line breaks: rows and contents stand on a line each, so that they are found without being read.
export const BETWEEN = ',\n'

/** What else is known of an event; what it says already, or nothing, is left out from the end. */
export type Mark = readonly [origin: string, instance?: string | null | 0, unknown?: string | null | 0, seq?: number]

/** The text that a JSON string stands for; null for any other value. */
export function textOf(json: string | undefined): string | null {
  if (json?.startsWith('"') !== true) return null
  return json.includes('\\') ? String(JSON.parse(json)) : json.slice(1, -1)
}
