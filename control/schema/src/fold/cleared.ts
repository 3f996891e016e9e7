import { IDENTITY_FIELDS } from '../identity-fields.ts'
import { overlay } from './fields.ts'
import type { FinishFacts, InstanceFacts, StartFacts } from './state.ts'

/** Who and where an instance is, and how long it ran: replaced by a correction, never cleared. */
const KEPT: ReadonlySet<string> = new Set([...IDENTITY_FIELDS, 'durationMs', 'status'])

/** Takes back what earlier events said of the instance under these names, whichever event said it. */
export function clearFacts(facts: InstanceFacts, cleared: readonly string[] | undefined): void {
  if (cleared === undefined) return
  const names = new Set(cleared)
  const all = names.has('*')
  const isGone = (name: string) => !KEPT.has(name) && (all || names.has(name))
  facts.start &&= without(facts.start, isGone)
  facts.finish &&= without(facts.finish, isGone)
  facts.failure &&= without(facts.failure, isGone)
  if (all || names.has('error')) facts.failure = undefined
  if (!all && names.has('status') && facts.finish !== undefined) facts.start &&= withLate(facts.start, facts.finish)
  if (all || names.has('status')) facts.finish = undefined
}

/** What belongs to the start and was only said with the end stays when the end is taken back. */
function withLate(start: StartFacts, { payload: { input, model }, extra }: FinishFacts): StartFacts {
  const late = { ...(input === undefined ? {} : { input }), ...(model === undefined ? {} : { model }) }
  return { ...start, payload: { ...start.payload, ...late }, extra: overlay(start.extra, extra) }
}

function without<Said extends { readonly payload: object; readonly extra: object }>(said: Said, isGone: (name: string) => boolean): Said {
  return { ...said, payload: left(said.payload, isGone), extra: left(said.extra, isGone) }
}

function left<Fields extends object>(fields: Fields, isGone: (name: string) => boolean): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !isGone(name))) as Fields
}
