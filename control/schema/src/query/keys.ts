import { NODE_KINDS } from '../node-kinds.ts'

/** What may stand after a key: one of a few words, any text, a number, a length of time, a moment, or yes and no. */
export type QueryForm = 'choice' | 'text' | 'number' | 'duration' | 'moment' | 'flag'

/** One key of the filter language: `key:value`. */
export interface QueryKey {
  readonly name: string
  readonly form: QueryForm
  /** What it keeps, in a few words, as completion shows it. */
  readonly summary: string
  readonly example: string
  /** The words it takes, for `choice` and `flag`. */
  readonly values: readonly string[]
}

const RUN_QUERY_STATES = ['running', 'paused', 'ok', 'error', 'aborted', 'abandoned', 'ended'] as const
const RUN_QUERY_LINKS = ['attached', 'detached', 'imported'] as const
const RUN_QUERY_SOURCES = ['live', 'import', 'demo'] as const
const RUN_QUERY_CATEGORIES = ['agent', 'other'] as const

const CHOICES = {
  state: RUN_QUERY_STATES,
  link: RUN_QUERY_LINKS,
  kind: NODE_KINDS,
  source: RUN_QUERY_SOURCES,
  category: RUN_QUERY_CATEGORIES,
} as const

export type ChoiceKey = keyof typeof CHOICES
export type TextKey = 'name' | 'model' | 'session' | 'tag' | 'app'
export type NumberKey = 'cost' | 'tokens' | 'duration'
export type FlagKey = 'error' | 'pinned'

const choice = (name: ChoiceKey, summary: string, example: string): QueryKey => ({
  name,
  form: 'choice',
  summary,
  example,
  values: CHOICES[name],
})
const other = (name: TextKey | NumberKey | 'since', form: QueryForm, summary: string, example: string): QueryKey => ({
  name,
  form,
  summary,
  example,
  values: [],
})
const flag = (name: FlagKey, summary: string): QueryKey => ({
  name,
  form: 'flag',
  summary,
  example: `${name}:true`,
  values: ['true', 'false'],
})

/** Every key there is, in the order in which completion offers them. */
export const QUERY_KEYS: readonly QueryKey[] = [
  choice('state', 'what the run is doing, or how it ended', 'state:paused'),
  choice('link', 'whether its program can be controlled', 'link:attached'),
  choice('kind', 'runs with a node of this kind', 'kind:tool'),
  other('name', 'text', 'name of the run or of one of its nodes', 'name:draft*'),
  flag('error', 'runs in which something failed'),
  other('since', 'moment', 'started at this moment or later', 'since:1h'),
  other('cost', 'number', 'cost in US dollars', 'cost:>0.1'),
  other('tokens', 'number', 'tokens in and out together', 'tokens:>1000'),
  other('duration', 'duration', 'time from start to end, or to now, without what was held', 'duration:>2s'),
  other('model', 'text', 'name of a model it called', 'model:gpt-4o*'),
  choice('source', 'where it came from', 'source:import'),
  other('session', 'text', 'id of its conversation', 'session:chat-17'),
  other('tag', 'text', 'a tag it was given', 'tag:slow'),
  other('app', 'text', 'name of its program', 'app:trip-planner'),
  flag('pinned', 'runs that are pinned'),
  choice('category', 'agent runs, or plain web traffic', 'category:agent'),
]

/** The key of this name, in either case. */
export function queryKey(name: string): QueryKey | undefined {
  const wanted = name.toLowerCase()
  return QUERY_KEYS.find((key) => key.name === wanted)
}
