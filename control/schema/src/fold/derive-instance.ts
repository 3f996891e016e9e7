import type { ErrorInfo, Redaction } from '../primitives.ts'
import { type ChannelFacts, channelFacts } from './channel-facts.ts'
import { both, firstFailure, groupFinish, groupStart, streamOf } from './group-facts.ts'
import type { InstancePicture, InstanceStatus } from './picture.ts'
import type { FailureFacts, FinishFacts, InstanceFacts, PauseFacts, StartFacts } from './state.ts'

type Draft = { -readonly [Key in keyof InstancePicture]: InstancePicture[Key] }

export interface ParentLink {
  readonly parentId: string | undefined
  readonly parentInstanceId: string | undefined
}

/**
 * The picture of a shown instance from the facts of its alias group (its own first) and the pauses of all of them, oldest first. What the
 * control channel says (injected, edited, held) outranks what the span says, whichever came first.
 */
export function deriveInstance(
  root: InstanceFacts,
  start: StartFacts,
  group: readonly InstanceFacts[],
  pauses: readonly PauseFacts[],
  parent: ParentLink,
): InstancePicture {
  const started = groupStart(start, group)
  const finish = groupFinish(group)
  const failure = firstFailure(group)
  const channel = channelFacts(pauses, finish)
  const errors = failure?.errors ?? NO_ERRORS
  const status = statusOf(channel, finish, errors.length)
  const draft: Draft = {
    id: root.id,
    nodeId: start.payload.nodeId,
    kind: start.payload.kind,
    name: start.payload.name,
    status,
    startedAt: start.ts,
    errors,
    pauseIds: channel.pauseIds,
    firstSeq: root.firstSeq,
    lastSeq: root.lastSeq,
    extra: started.extra,
  }
  put(draft, 'parentId', parent.parentId)
  put(draft, 'parentInstanceId', parent.parentInstanceId)
  put(draft, 'startNanos', start.payload.startTimeUnixNano)
  put(draft, 'endedAt', endOf(status, finish, failure, channel))
  put(draft, 'input', started.payload.input)
  put(draft, 'model', started.payload.model)
  put(draft, 'provider', started.payload.provider)
  put(draft, 'toolCallId', started.payload.toolCallId)
  put(draft, 'attempt', start.payload.attempt)
  put(draft, 'derived', start.payload.derived)
  put(draft, 'collapsed', start.payload.collapsed)
  put(draft, 'traceId', start.payload.traceId)
  put(draft, 'spanId', start.payload.spanId)
  put(draft, 'ungated', ungatedWords(started.payload.ungated))
  if (failure !== undefined) {
    putEnd(draft, failure.payload)
    draft.extra = both(draft.extra, failure.extra)
  }
  if (finish !== undefined) {
    const payload = finish.payload
    putEnd(draft, payload)
    put(draft, 'endNanos', payload.endTimeUnixNano)
    put(draft, 'durationMs', payload.durationMs)
    if (payload.output !== undefined) draft.output = payload.output
    put(draft, 'usage', payload.usage)
    draft.extra = both(draft.extra, finish.extra)
  }
  put(draft, 'redaction', joined(started.payload.redaction, finish?.payload.redaction ?? failure?.payload.redaction))
  put(draft, 'stream', streamOf(group))
  putChannel(draft, channel)
  for (const facts of group) if (facts.lastSeq > draft.lastSeq) draft.lastSeq = facts.lastSeq
  return draft
}

const NO_ERRORS: readonly ErrorInfo[] = []

function put<Key extends keyof Draft>(draft: Draft, key: Key, value: Draft[Key] | null | undefined): void {
  if (value !== undefined && value !== null) draft[key] = value
}

function putEnd(draft: Draft, payload: FailureFacts['payload'] | FinishFacts['payload']): void {
  put(draft, 'input', payload.input)
  put(draft, 'heldMs', payload.heldMs)
  put(draft, 'attempts', payload.attempts)
  put(draft, 'finishReason', payload.finishReason)
  put(draft, 'model', payload.model)
}

function putChannel(draft: Draft, channel: ChannelFacts): void {
  put(draft, 'heldMs', channel.heldMs)
  if (channel.edited !== undefined) {
    draft.edited = channel.edited
    if (channel.editRan) draft.input = channel.edited.after
  }
  if (channel.injected !== undefined) {
    draft.injected = channel.injected
    if (channel.injected.output !== undefined) draft.output = channel.injected.output
  }
}

function statusOf(channel: ChannelFacts, finish: FinishFacts | undefined, errorCount: number): InstanceStatus {
  if (channel.held) return 'paused'
  if (channel.recovered) return 'ok'
  // An error that was retried is history; one more error than retries is how it ended.
  const failed = errorCount > channel.retries
  if (finish === undefined) return failed ? 'error' : 'running'
  return finish.payload.status === 'ok' && failed ? 'error' : finish.payload.status
}

function endOf(
  status: InstanceStatus,
  finish: FinishFacts | undefined,
  failure: FailureFacts | undefined,
  channel: ChannelFacts,
): number | undefined {
  if (finish !== undefined) return finish.ts
  if (status === 'error') return failure?.ts
  return status === 'ok' ? channel.releasedAt : undefined
}

function ungatedWords(ungated: string | boolean | null | undefined): string | undefined {
  if (ungated === true) return 'The app gives no reason.'
  return ungated === false ? undefined : (ungated ?? undefined)
}

function joined(one: Redaction | null | undefined, other: Redaction | null | undefined): Redaction | undefined {
  if (!one || !other) return one ?? other ?? undefined
  return { ...one, ...other, count: one.count + other.count, keys: [...new Set([...one.keys, ...other.keys])] }
}
