import type { MappedSpan } from '../mapped-span.ts'
import type { Attributes } from '../span-view.ts'
import { textOf } from './attribute.ts'
import { definedOrAbsent } from './defined.ts'
import { parseJsonText } from './json-text.ts'

export type RunFacts = NonNullable<MappedSpan['run']>

export const ASSOCIATION = 'traceloop.association.properties.'
const SESSION = ['sessionid', 'threadid', 'conversationid', 'chatid']

/** Keys under which people keep what groups runs, in the spellings seen; part of the redaction allow-list. */
export const GROUPING_KEYS: readonly string[] = [
  'sessionId',
  'session_id',
  'threadId',
  'thread_id',
  'conversationId',
  'conversation_id',
  'chatId',
  'chat_id',
  'userId',
  'user_id',
  'langfuseSessionId',
  'langfuseUserId',
  'tags',
]

const ASSOCIATION_KEYS = GROUPING_KEYS.map((key) => [key, ASSOCIATION + key] as const)

/** Conversation, user and tags out of an app's own metadata; the first spelling of a session in {@link SESSION}'s order wins. */
export function groupingOf(metadata: readonly (readonly [string, unknown])[]): RunFacts | undefined {
  const found = new Map<string, string>()
  let tags: readonly string[] | undefined
  for (const [key, value] of metadata) {
    const plain = key
      .toLowerCase()
      .replace(/^langfuse/, '')
      .replace(/[^a-z]/g, '')
    if (plain === 'tags') tags = tagsOf(value)
    else if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint')
      found.set(plain, String(value).toWellFormed())
  }
  const sessionId = SESSION.map((key) => found.get(key)).find((value) => value !== undefined && value !== '')
  return definedOrAbsent({ sessionId, userId: found.get('userid') || undefined, tags })
}

/** What the conventions call the conversation and the user; Langfuse's and Traceloop's own words for them count on any span. */
export function conventionalGrouping(attributes: Attributes): RunFacts | undefined {
  const own = definedOrAbsent({
    name: textOf(attributes, 'langfuse.trace.name'),
    sessionId: textOf(attributes, 'gen_ai.conversation.id', 'session.id', 'langfuse.session.id'),
    userId: textOf(attributes, 'user.id', 'enduser.id', 'langfuse.user.id'),
    tags: tagsOf(attributes['langfuse.trace.tags']),
  })
  const associated = ASSOCIATION_KEYS.filter(([, attribute]) => attributes[attribute] !== undefined)
  return associated.length === 0 ? own : joinRunFacts(own, groupingOf(associated.map(([key, attribute]) => [key, attributes[attribute]])))
}

/** Facts of two sources in one; the first source outranks the second. */
export function joinRunFacts(first: RunFacts | undefined, second: RunFacts | undefined): RunFacts | undefined {
  return first === undefined ? second : { ...second, ...first }
}

/** Tags in a list, in JSON text of a list, or with commas between them. */
export function tagsOf(value: unknown): readonly string[] | undefined {
  const content = typeof value === 'string' ? parseJsonText(value) : value
  const list = Array.isArray(content) ? content : typeof content === 'string' ? content.split(',') : []
  const tags = list.flatMap((tag) => (typeof tag === 'string' && tag.trim() !== '' ? tag.trim().toWellFormed() : []))
  return tags.length > 0 ? tags : undefined
}
