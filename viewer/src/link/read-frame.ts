import {
  type BreakpointMatcher,
  type Envelope,
  isStorableId,
  parseEnvelope,
  RUN_MODES,
  readSheet,
  type UiServerMessage,
} from '@graphmind-ai/schema'
import { asList, asNumber, asObject, asText, type Loose, oneOf } from './guards.ts'
import { readRunInfo } from './read-run-info.ts'

/** An event of a run, and the seq of the one before it. */
export interface StreamEvent {
  readonly after: number | null
  readonly envelope: Envelope
}

/** A message as read, a sheet as the events in it. Among events that came together, one that can't be read is undefined. */
export type ReadMessage =
  | Exclude<UiServerMessage, { type: 'events' | 'sheet' }>
  | { readonly type: 'events'; readonly runId: string; readonly events: readonly (StreamEvent | undefined)[] }

/** A frame of the collector, or what was wrong with it. A frame of a type we don't know is `ignored`: a newer collector may send it. */
export type FrameReading =
  | { readonly ok: true; readonly message: ReadMessage }
  | { readonly ok: false; readonly ignored: boolean; readonly problem: string }

const BREAKPOINT_STATES = ['active', 'waiting', 'impossible', 'failed', 'disabled'] as const
const OUTCOMES = ['resumed', 'refused', 'taken', 'timeout', 'no-such-pause'] as const

/** Reads one text frame of `/ws/ui`. Never throws. */
export function readFrame(text: string): FrameReading {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return bad('The collector sent a frame that is not JSON.')
  }
  const frame = asObject(value)
  const type = asText(frame?.['type'])
  if (frame === undefined || type === undefined) return bad('The collector sent a frame without a type.')
  const read = readers[type]
  if (read === undefined) return { ok: false, ignored: true, problem: `The collector sent a frame of the unknown type “${type}”.` }
  const message = read(frame)
  return message === undefined ? bad(`The collector sent a “${type}” frame that does not fit.`) : { ok: true, message }
}

function bad(problem: string): FrameReading {
  return { ok: false, ignored: false, problem }
}

const readers: Readonly<Record<string, (frame: Loose) => ReadMessage | undefined>> = {
  welcome(frame) {
    const versions = asObject(frame['versions'])
    const state = readState(frame)
    if (state === undefined) return undefined
    return {
      type: 'welcome',
      versions: { protocol: asNumber(versions?.['protocol']) ?? 1, server: asText(versions?.['server']) ?? 'unknown' },
      ...state,
    }
  },
  state(frame) {
    const state = readState(frame)
    return state === undefined ? undefined : { type: 'state', ...state }
  },
  runs(frame) {
    const runs = asList(frame['runs'])
    return runs === undefined ? undefined : { type: 'runs', runs: runs.map(readRunInfo).filter((run) => run !== undefined) }
  },
  'run.update'(frame) {
    const run = readRunInfo(frame['run'])
    return run === undefined ? undefined : { type: 'run.update', run }
  },
  'run.removed'(frame) {
    const runId = asText(frame['runId'])
    return runId === undefined ? undefined : { type: 'run.removed', runId }
  },
  'replay.start'(frame) {
    const runId = asText(frame['runId'])
    return runId === undefined ? undefined : { type: 'replay.start', runId, count: asNumber(frame['count']) ?? 0 }
  },
  'replay.end'(frame) {
    const runId = asText(frame['runId'])
    return runId === undefined ? undefined : { type: 'replay.end', runId }
  },
  event(frame) {
    const runId = asText(frame['runId'])
    const event = readEvent(frame)
    return runId === undefined || event === undefined ? undefined : { type: 'event', runId, ...event }
  },
  events(frame) {
    const runId = asText(frame['runId'])
    const events = asList(frame['events'])?.map(readEvent)
    return runId === undefined || events === undefined ? undefined : { type: 'events', runId, events }
  },
  sheet(frame) {
    const runId = asText(frame['runId'])
    const envelopes = runId === undefined || !isStorableId(runId) ? undefined : readSheet(runId, frame)
    if (runId === undefined || envelopes === undefined) return undefined
    let after = asNumber(frame['after']) ?? null
    const events = envelopes.map((envelope) => {
      const event = envelope === undefined ? undefined : { after, envelope }
      after = envelope?.seq ?? after
      return event
    })
    return { type: 'events', runId, events }
  },
  breakpoints(frame) {
    const breakpoints = asList(frame['breakpoints'])
    if (breakpoints === undefined) return undefined
    return { type: 'breakpoints', breakpoints: breakpoints.map(readBreakpointState).filter((state) => state !== undefined) }
  },
  'resume.result'(frame) {
    const runId = asText(frame['runId'])
    const pauseId = asText(frame['pauseId'])
    const outcome = oneOf(OUTCOMES, frame['outcome'])
    if (runId === undefined || pauseId === undefined || outcome === undefined) return undefined
    return { type: 'resume.result', runId, pauseId, outcome, ...texts(frame, 'requestId', 'code', 'message', 'by') } as ReadMessage
  },
  error(frame) {
    const message = asText(frame['message'])
    return message === undefined ? undefined : ({ type: 'error', message, ...texts(frame, 'code', 'runId', 'pauseId') } as ReadMessage)
  },
}

function readEvent(value: unknown): StreamEvent | undefined {
  const event = asObject(value)
  const parsed = parseEnvelope(event?.['envelope'])
  if (parsed.outcome !== 'ok' && parsed.outcome !== 'unknown-type') return undefined
  return { after: asNumber(event?.['after']) ?? null, envelope: parsed.envelope }
}

function readState(frame: Loose) {
  const breakpoints = asList(frame['breakpoints'])
  const mode = oneOf(RUN_MODES_KNOWN, frame['mode'])
  if (breakpoints === undefined || mode === undefined) return undefined
  return { breakpoints: breakpoints.filter((matcher): matcher is BreakpointMatcher => asObject(matcher) !== undefined), mode }
}

const RUN_MODES_KNOWN: readonly ['run', 'step'] = RUN_MODES

function readBreakpointState(value: unknown) {
  const state = asObject(value)
  const id = asText(state?.['id'])
  const status = oneOf(BREAKPOINT_STATES, state?.['status'])
  if (state === undefined || id === undefined || status === undefined) return undefined
  return { id, status, hits: asNumber(state['hits']) ?? 0, ...texts(state, 'reason', 'lastError') }
}

/** The named fields that are text; codes pass through as they are, for a newer collector may know more. */
function texts(frame: Loose, ...keys: readonly string[]): Record<string, string> {
  const found: Record<string, string> = {}
  for (const key of keys) {
    const value = asText(frame[key])
    if (value !== undefined) found[key] = value
  }
  return found
}
