import type { MappedSpan } from '../mapped-span.ts'
import { mapSpan } from '../registry.ts'
import type { SpanView } from '../span-view.ts'

const LONGEST = 240

/** Test support: the spans of a body as a tree a person can read, ids and times left out. */
export function transcriptOf(spans: readonly SpanView[]): string {
  const ids = new Set(spans.map((span) => span.spanId))
  const sorted = [...spans].sort((a, b) => Number(a.startNanos - b.startNanos))
  const lines: string[] = []
  const visit = (span: SpanView, depth: number) => {
    lines.push(...describeMapped(mapSpan(span)).map((line, index) => `${'  '.repeat(depth)}${index === 0 ? '' : '    '}${line}`))
    for (const child of sorted) if (child.parentSpanId === span.spanId) visit(child, depth + 1)
  }
  for (const span of sorted) if (span.parentSpanId === undefined || !ids.has(span.parentSpanId)) visit(span, 0)
  return `${lines.join('\n')}\n`
}

/** Test support: one node with its fields, a line each. */
export function describeMapped(mapped: MappedSpan): string[] {
  const { role, dialect, name, ...rest } = mapped
  const head =
    mapped.role === 'plumbing' ? `(plumbing) ${name}` : `${mapped.nodeId}${mapped.nodeId.endsWith(`:${name}`) ? '' : ` "${name}"`}`
  const fields = Object.entries(rest).filter(([key]) => key !== 'nodeId' && key !== 'extras')
  const extras = mapped.role === 'node' ? Object.entries(mapped.extras ?? {}) : []
  return [
    `${head}  <${dialect}>`,
    ...fields.map(([key, value]) => `${key}: ${cut(value)}`),
    ...extras.map(([key, value]) => `+${key}: ${cut(value)}`),
  ]
}

function cut(value: unknown): string {
  const text = JSON.stringify(value) ?? 'undefined'
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}… (${text.length} characters)` : text
}
