import { findForbiddenMarker, type PausePicture, type RunPicture } from '@graphmind-ai/schema'
import { isHidden, isObject, prettyJson } from './values.ts'

export type DraftKind = 'inject' | 'edit'

/** What the editor starts with, and a sentence on where that came from. */
export interface DraftStart {
  readonly text: string
  readonly source: string
  /** What the text is, to compare the draft with it; undefined for a mere stand-in. */
  readonly base: string | undefined
}

/** The value a person most likely wants to change: the held output, the input, or the last result that this node gave. */
export function draftStart(kind: DraftKind, pause: PausePicture, picture: RunPicture): DraftStart {
  const instance = pause.instanceId === undefined ? undefined : picture.instances.get(pause.instanceId)
  if (kind === 'edit') {
    const input = pause.input !== undefined ? pause.input : instance?.input
    return input === undefined || isHidden(input)
      ? { text: '{}', source: `The input is ${input === undefined ? 'not known' : 'hidden'}, so this starts empty.`, base: undefined }
      : { text: prettyJson(input), source: 'Starts from the current input.', base: 'Input now' }
  }
  const held = pause.output === undefined && pause.point === 'after' ? instance?.output : pause.output
  if (isHidden(held)) return { text: 'null', source: 'The output is hidden, so this starts from null.', base: undefined }
  if (held !== undefined) return { text: prettyJson(held), source: 'Starts from the current output.', base: 'Output now' }
  const earlier = lastResult(picture, pause.nodeId)
  const name = pause.name ?? pause.nodeId
  if (earlier !== undefined) return { text: prettyJson(earlier), source: `Starts from the last result of ${name}.`, base: 'Last result' }
  return { text: 'null', source: `${pause.name ?? 'This node'} has given no result yet, so this starts from null.`, base: undefined }
}

function lastResult(picture: RunPicture, nodeId: string): unknown {
  let found: { output: unknown; seq: number } | undefined
  for (const instance of picture.instances.values()) {
    if (instance.nodeId !== nodeId || instance.status !== 'ok') continue
    if (instance.output === undefined || isHidden(instance.output)) continue
    if (found === undefined || instance.lastSeq > found.seq) found = { output: instance.output, seq: instance.lastSeq }
  }
  return found?.output
}

export type DraftReading =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problem: string; readonly wrappable: boolean }

/** Reads a draft. Only JSON can be sent; text that isn't may be wrapped as a JSON string on the person's word. */
export function readDraft(kind: DraftKind, text: string): DraftReading {
  if (text.trim() === '') return { ok: false, problem: 'Type a JSON value, such as 42, "text" or {"ok": true}.', wrappable: false }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    const detail = error instanceof Error ? error.message.replace(/^JSON\.parse: /, '') : String(error)
    return { ok: false, problem: `Not JSON yet: ${detail}.`, wrappable: kind === 'inject' }
  }
  const marker = findForbiddenMarker(value)
  if (marker === 'placeholder') {
    return { ok: false, problem: 'A hidden value (__REDACTED__) can’t be sent back. Replace it with a real one.', wrappable: false }
  }
  if (marker === 'truncated') {
    return {
      ok: false,
      problem: 'Part of this value was cut off when it was recorded. Replace that part, or the whole value.',
      wrappable: false,
    }
  }
  if (kind === 'edit' && !isObject(value)) {
    return { ok: false, problem: 'An edited input is a JSON object; its keys replace those of the call.', wrappable: false }
  }
  return { ok: true, value }
}

/** The text as a JSON string, for people who mean plain text. */
export function wrapAsText(text: string): string {
  return JSON.stringify(text)
}

interface TextStorage {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
  removeItem(key: string): void
  key(index: number): string | null
  readonly length: number
}

const PREFIX = 'gm:draft:'
/** Drafts are small and few; the oldest go when a person leaves very many behind. */
const MOST_DRAFTS = 30

const keyOf = (runId: string, pauseId: string, kind: DraftKind) => `${PREFIX}${runId}:${pauseId}:${kind}`

/** What a person had typed for this held call; undefined when nothing. */
export function loadDraft(storage: TextStorage, runId: string, pauseId: string, kind: DraftKind): string | undefined {
  const stored = storage.getItem(keyOf(runId, pauseId, kind))
  return stored === null ? undefined : stored.slice(stored.indexOf(' ') + 1)
}

/** Keeps what is typed across reloads; beyond 30 drafts the oldest are dropped. */
export function saveDraft(storage: TextStorage, runId: string, pauseId: string, kind: DraftKind, text: string, nowMs: number): void {
  storage.setItem(keyOf(runId, pauseId, kind), `${nowMs} ${text}`)
  const drafts = draftKeys(storage)
  if (drafts.length <= MOST_DRAFTS) return
  const savedAt = (key: string) => Number.parseInt(storage.getItem(key) ?? '0', 10)
  for (const key of drafts.sort((one, other) => savedAt(one) - savedAt(other)).slice(0, drafts.length - MOST_DRAFTS))
    storage.removeItem(key)
}

/** Forgets what was typed for a held call that is over. */
export function dropDrafts(storage: TextStorage, runId: string, pauseId: string): void {
  for (const kind of ['inject', 'edit'] as const) storage.removeItem(keyOf(runId, pauseId, kind))
}

function draftKeys(storage: TextStorage): string[] {
  const keys: string[] = []
  for (let index = 0; index < storage.length; index += 1) {
    const key = storage.key(index)
    if (key?.startsWith(PREFIX)) keys.push(key)
  }
  return keys
}
