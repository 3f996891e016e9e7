import type { MappedNode, MappedSpan } from '@graphmind-ai/mappings'
import type { SpanMarks } from '../otlp/marks.ts'
import type { SpanRecord } from './run-state.ts'
import { rankCopies } from './span-facts.ts'

/** The payload side of one copy of a span: read when events are written, not kept in memory. */
export interface SpanContent {
  readonly mapped: MappedSpan
  readonly marks: SpanMarks
  readonly final: boolean
}

/** Where the assembler reads a stored copy's content again. */
export interface ContentSource {
  content(spanId: string, ours: boolean): SpanContent | undefined
}

/** The facts of a shown node, put together from its copies and twins. */
export type NodeContent = Partial<Omit<MappedNode, 'role' | 'kind' | 'nodeId' | 'name' | 'run' | 'hints' | 'mayBeAgent' | 'innerAgent'>> & {
  readonly attempt?: number
  readonly heldMs?: number
  readonly injected?: boolean
  readonly ungated?: string
}

/** Contents in order of rank as one: each later one fills what is absent. */
export function mergeContents(contents: readonly (SpanContent | undefined)[]): NodeContent {
  const merged: { [key: string]: unknown } = {}
  let extras: { readonly [key: string]: unknown } = {}
  for (const content of contents) {
    if (content === undefined) continue
    const { mapped, marks } = content
    if (mapped.role === 'node') {
      const {
        role: _role,
        kind: _kind,
        nodeId: _nodeId,
        name: _name,
        run: _run,
        hints: _hints,
        mayBeAgent: _mayBe,
        innerAgent: _inner,
        extras: more,
        ...facts
      } = mapped
      fillAbsent(merged, facts)
      if (more !== undefined) extras = { ...more, ...extras }
    }
    const { attempt, heldMs, injected, ungated } = marks
    fillAbsent(merged, { attempt, heldMs, injected, ungated })
  }
  return { ...merged, ...(Object.keys(extras).length === 0 ? {} : { extras }) }
}

/** Both copies of one span, the higher rank first. */
export function copiesOf(source: ContentSource, record: SpanRecord): readonly (SpanContent | undefined)[] {
  const ours = record.ours === undefined ? undefined : source.content(record.id, true)
  const other = record.other === undefined ? undefined : source.content(record.id, false)
  return rankCopies(ours, other)
}

function fillAbsent(target: { [key: string]: unknown }, facts: object): void {
  for (const key of Object.keys(facts)) {
    const value: unknown = facts[key as keyof typeof facts]
    if (value !== undefined && target[key] === undefined) target[key] = value
  }
}
