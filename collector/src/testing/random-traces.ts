import fc from 'fast-check'
import type { SpanType, TestSpan } from './spans.ts'

export interface Shape {
  readonly type: SpanType
  /** Index of the parent among the earlier spans, −1 for a root, −2 for a parent that never comes. */
  readonly parent: number
  readonly failed: boolean
  readonly live: boolean
  readonly doubled: boolean
  readonly remote: boolean
}

export const shape = fc.record<Shape>({
  type: fc.constantFrom<SpanType>('agent', 'llm', 'tool', 'custom', 'web', 'web'),
  parent: fc.integer({ min: -2, max: 11 }),
  failed: fc.boolean(),
  live: fc.boolean(),
  doubled: fc.boolean(),
  remote: fc.boolean(),
})

/** Every copy of every span: start and end copies of ours, an end copy of the app's own exporter, repeats. */
export function copiesOf(shapes: readonly Shape[]): TestSpan[] {
  return shapes.flatMap((span, index) => {
    const parent = span.parent === -2 ? 999 : span.parent >= index ? index - 1 : span.parent
    // Siblings don't overlap and no model call holds another, so that no two spans are twins.
    const type = span.type === 'llm' && parent >= 0 && shapes[parent]?.type === 'llm' ? 'tool' : span.type
    const base: TestSpan = {
      id: index + 1,
      ...(parent < 0 ? {} : { parent: parent === 999 ? 999 : parent + 1 }),
      type,
      name: `${type}-${index}`,
      start: index,
      ...(span.remote && parent === 999 ? { remote: true } : {}),
    }
    const ended: TestSpan = { ...base, end: 100 - index, ...(span.failed ? { error: `broke ${index}` } : {}) }
    const attributes: TestSpan['attributes'] =
      type === 'llm' ? { 'gen_ai.usage.input_tokens': 10 + index, 'gen_ai.usage.output_tokens': 1 } : {}
    const end: TestSpan = { ...ended, attributes, ...(span.live ? { phase: 'end' } : {}) }
    const copies: TestSpan[] = [end]
    if (span.live) copies.unshift({ ...base, phase: 'start' })
    if (span.live && span.doubled) copies.push({ ...ended, attributes: { ...attributes, 'app.extra': 'only here' } })
    if (!span.live && span.doubled) copies.push(end)
    return copies
  })
}
