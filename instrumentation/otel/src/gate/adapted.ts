import type { GateSite } from './gate-site.ts'

/** Calls that an adapter holds itself, because it can do more than a span allows: `tool <name>`, `llm <model id>`. */
const adapted = new Set<string>()

/** Says that an adapter stands before every call of this tool or model. */
export function adapt(kind: GateSite['kind'], name: string): void {
  adapted.add(`${kind} ${name}`)
}

/** True when the gate of an adapter, further in, holds this call. */
export function isAdapted(site: GateSite): boolean {
  if (adapted.size === 0) return false
  if (site.kind !== 'llm') return adapted.has(`${site.kind} ${site.name}`)
  const { attributes } = site.span
  return adapted.has(`llm ${attributes['ai.model.id'] ?? attributes['gen_ai.request.model']}`)
}
