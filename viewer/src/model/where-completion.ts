import type { RunPicture } from '@graphmind-ai/schema'
import { CONDITION_FIELDS } from '@graphmind-ai/schema/conditions'
import type { BreakpointDraft } from './breakpoint-draft.ts'
import { callsAt, type DraftCheck, factsAt } from './draft-check.ts'

/** A word that can stand next in a condition. */
export interface WhereWord {
  readonly label: string
  /** What it is, or an example of what this run has there. */
  readonly detail: string
  readonly type: 'field' | 'method'
}

/** Calls looked at for what their values hold. */
const MOST_LOOKED_AT = 50
const MOST_WORDS = 100

const METHODS: Readonly<Record<string, readonly { readonly label: string; readonly detail: string }[]>> = {
  string: [
    { label: 'contains(', detail: 'has this in it' },
    { label: 'startsWith(', detail: 'begins with this' },
    { label: 'endsWith(', detail: 'ends with this' },
    { label: 'matches(', detail: 'fits a regular expression' },
    { label: 'size()', detail: 'how long it is' },
  ],
  list: [
    { label: 'size()', detail: 'how many' },
    { label: 'exists(item, ', detail: 'holds for one at least' },
    { label: 'all(item, ', detail: 'holds for each' },
  ],
}

/** What can follow `path` (`input.user.`): the fields of what this run has there, and what can be asked of texts and lists. */
export function whereWords(
  path: readonly string[],
  picture: RunPicture | undefined,
  draft: BreakpointDraft,
  check: DraftCheck,
): readonly WhereWord[] {
  const calls = picture === undefined ? [] : callsAt(picture, draft, check).slice(-MOST_LOOKED_AT)
  const facts = calls.map((call) => factsAt(call, draft.point))
  if (path.length === 0) {
    return Object.keys(CONDITION_FIELDS).map((label) => ({
      label,
      detail: FIELD_WORDS[label as keyof typeof CONDITION_FIELDS],
      type: 'field',
    }))
  }
  const words = new Map<string, WhereWord>()
  for (const fact of facts) {
    const value = path.reduce<unknown>((inner, key) => (isFields(inner) ? inner[key] : undefined), fact)
    for (const { label, detail } of METHODS[kindOf(value)] ?? []) words.set(label, { label, detail, type: 'method' })
    if (!isFields(value)) continue
    for (const [label, example] of Object.entries(value)) {
      if (/^[A-Za-z_]\w*$/.test(label) && words.size < MOST_WORDS) words.set(label, { label, detail: glimpseOf(example), type: 'field' })
    }
  }
  return [...words.values()]
}

const FIELD_WORDS: Readonly<Record<keyof typeof CONDITION_FIELDS, string>> = {
  input: 'what went in',
  output: 'what came out, after the call',
  usage: 'tokens, after the call',
  error: 'name and message, on an error',
  name: 'of the node',
  kind: 'agent, llm, tool …',
  duration: 'ms, after the call',
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? 'list' : typeof value
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function glimpseOf(value: unknown): string {
  const text = JSON.stringify(value) ?? ''
  return text.length > 32 ? `${text.slice(0, 31)}…` : text
}
