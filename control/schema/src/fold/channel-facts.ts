import type { FinishFacts, PauseFacts } from './state.ts'

const NO_IDS: readonly string[] = []

/** What the control channel did to a call, over all its holds. */
export interface ChannelFacts {
  readonly held: boolean
  /** A person gave a value in place of an error: the call went on. */
  readonly recovered: boolean
  readonly retries: number
  readonly heldMs: number | undefined
  readonly injected: { readonly output: unknown } | undefined
  readonly edited: { readonly after: unknown } | undefined
  /** True when the instance itself ran with the edited input, so that it is the input to show. */
  readonly editRan: boolean
  readonly releasedAt: number | undefined
  readonly pauseIds: readonly string[]
}

const NO_CHANNEL: ChannelFacts = {
  held: false,
  recovered: false,
  retries: 0,
  heldMs: undefined,
  injected: undefined,
  edited: undefined,
  editRan: false,
  releasedAt: undefined,
  pauseIds: NO_IDS,
}

/** Reads the pauses of a call, oldest first, and what its span says of an inject that the channel lost. */
export function channelFacts(pauses: readonly PauseFacts[], finish: FinishFacts | undefined): ChannelFacts {
  const injectedBySpan = finish?.payload.injected === true ? { output: finish.payload.output } : undefined
  if (pauses.length === 0) return injectedBySpan === undefined ? NO_CHANNEL : { ...NO_CHANNEL, injected: injectedBySpan }
  const facts: { -readonly [Key in keyof ChannelFacts]: ChannelFacts[Key] } = { ...NO_CHANNEL, injected: injectedBySpan }
  const pauseIds: string[] = []
  for (const { id, held, released } of pauses) {
    if (held !== undefined) pauseIds.push(id)
    if (released === undefined) {
      if (held !== undefined) facts.held = true
      continue
    }
    const { action, injected, edited } = released.payload
    const heldMs = released.payload.heldMs ?? (held && Math.max(0, released.ts - held.ts))
    if (heldMs !== undefined) facts.heldMs = (facts.heldMs ?? 0) + heldMs
    facts.releasedAt = Math.max(facts.releasedAt ?? released.ts, released.ts)
    const beforeCall = held?.payload.point === 'before'
    if (action === 'inject') {
      facts.injected = { output: injected === undefined ? finish?.payload.output : injected.output }
      // Only an error gate can replace an error; a pause that was lost on the way leaves the point unknown.
      if (held === undefined || held.payload.point === 'error') facts.recovered = true
    }
    if (action === 'retry' && !beforeCall) facts.retries += 1
    if (edited !== undefined) {
      facts.edited = { after: edited.after }
      // A retry may run as a new instance, which then carries the edit; this one ran with what it got.
      facts.editRan = action !== 'retry' || (finish?.payload.attempts ?? 1) > 1
    }
  }
  facts.pauseIds = pauseIds
  return facts
}
