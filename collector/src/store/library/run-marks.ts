import { failed, ok, type Result } from '../../problem.ts'

/** What a person says of a run. An absent field stays as it is; null takes a name or note back. */
export interface RunMarks {
  readonly name?: string | null
  readonly note?: string | null
  readonly tags?: readonly string[]
  readonly pinned?: boolean
}

export const MAX_RUN_NAME_LENGTH = 200
export const MAX_NOTE_LENGTH = 4_000
export const MAX_TAGS = 20
export const MAX_TAG_LENGTH = 50

const FIELDS: ReadonlySet<string> = new Set(['name', 'note', 'tags', 'pinned'])

/** Reads the body of a PATCH. Tags are trimmed and each is kept once. */
export function readRunMarks(value: unknown): Result<RunMarks> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return failed('bad-marks', 'Send an object with name, tags, pinned or note.')
  const given = value as { readonly [field: string]: unknown }
  const unknown = Object.keys(given).find((field) => !FIELDS.has(field))
  if (unknown !== undefined)
    return failed('unknown-field', `A run has no ${JSON.stringify(unknown)} to change. Use name, tags, pinned or note.`)
  const name = readText(given['name'], 'name', MAX_RUN_NAME_LENGTH)
  if (!name.ok) return name
  const note = readText(given['note'], 'note', MAX_NOTE_LENGTH)
  if (!note.ok) return note
  const tags = readTags(given['tags'])
  if (!tags.ok) return tags
  const { pinned } = given
  if (pinned !== undefined && typeof pinned !== 'boolean') return failed('bad-pinned', 'pinned is true or false.')
  return ok({
    ...(name.value === undefined ? {} : { name: name.value }),
    ...(note.value === undefined ? {} : { note: note.value }),
    ...(tags.value === undefined ? {} : { tags: tags.value }),
    ...(pinned === undefined ? {} : { pinned }),
  })
}

/** An empty text takes the value back, like null. */
function readText(value: unknown, field: string, most: number): Result<string | null | undefined> {
  if (value === undefined || value === null) return ok(value)
  const text = typeof value === 'string' ? value.trim() : undefined
  if (text === undefined || !isClean(text) || text.length > most) {
    return failed(`bad-${field}`, `${field} is a text of at most ${most} characters, or null to take it back.`)
  }
  return ok(text === '' ? null : text)
}

function readTags(value: unknown): Result<readonly string[] | undefined> {
  if (value === undefined) return ok(undefined)
  const tags = Array.isArray(value) ? [...new Set(value.map((tag: unknown) => (typeof tag === 'string' ? tag.trim() : '')))] : undefined
  const fits = (tag: string) => tag !== '' && tag.length <= MAX_TAG_LENGTH && isClean(tag)
  if (tags === undefined || tags.length > MAX_TAGS || !tags.every(fits)) {
    return failed('bad-tags', `tags is a list of at most ${MAX_TAGS} texts, each of 1 to ${MAX_TAG_LENGTH} characters.`)
  }
  return ok(tags)
}

/** Text that every reader can store and show: no NUL, no half of a surrogate pair. */
function isClean(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}
