import { isVagueFailure, type MappedNode, type MappedSpan } from '@graphmind-ai/mappings'
import type { ErrorInfo, NodeKind, RunStatus, SdkInfo } from '@graphmind-ai/schema'
import type { DecodedSpan } from '../otlp/decode.ts'
import { isFields } from '../otlp/read-value.ts'
import { type CallFacts, callFactsOf } from './call-facts.ts'

export interface RunFacts {
  readonly name?: string
  readonly sessionId?: string
  readonly userId?: string
  readonly tags?: readonly string[]
}

/**
 * What the assembler has to remember of one copy of a span: identity and place, but no payloads. Kept beside the raw span as JSON, so
 * that a run can be taken up again without reading its payloads.
 */
export interface SpanFacts extends CallFacts {
  readonly ours: boolean
  /** The span has ended in this copy. */
  readonly final: boolean
  /** Of the raw span: an equal copy changes nothing. */
  readonly hash: string
  readonly parent?: string
  readonly remote?: boolean
  readonly startNanos: bigint
  readonly endNanos?: bigint
  /** It has no span: known only from log records or messages. */
  readonly derived?: true
  readonly role: 'node' | 'plumbing'
  readonly kind: NodeKind
  readonly nodeId: string
  readonly name: string
  readonly twinClass?: string
  /** The instrumentation, of spans that may have a twin. */
  readonly scope?: string
  readonly status: RunStatus
  readonly error?: ErrorInfo
  readonly model?: string
  readonly responseId?: string
  readonly toolCallId?: string
  readonly tokens?: readonly [input: number, output: number]
  /** An agent or a tool that does not say what it was given, or what came of it. */
  readonly noInput?: boolean
  readonly noOutput?: boolean
  /** A chain that is an agent if it turns out to run model calls and tools. */
  readonly mayBeAgent?: true
  /** The name of an agent that runs inside this call without a span of its own. */
  readonly innerAgent?: string
  readonly run?: RunFacts
  readonly app?: string
  readonly sdk?: SdkInfo
}

/** The facts of one decoded and mapped copy. `nowNanos` stands in for the start of a span that has no times at all. */
export function factsOf(span: DecodedSpan, mapped: MappedSpan, hash: string, nowNanos: bigint): SpanFacts {
  const { view, marks } = span
  const node = mapped.role === 'node' ? mapped : undefined
  const service = view.resource['service.name']
  const sdk = sdkOf(span)
  const responseId = node?.extras?.['responseId']
  return {
    ours: marks.ours,
    final: view.endNanos !== undefined,
    hash,
    ...(view.parentSpanId === undefined ? {} : { parent: view.parentSpanId }),
    ...(view.parentIsRemote ? { remote: true } : {}),
    startNanos: view.startNanos > 0n ? view.startNanos : (view.endNanos ?? nowNanos),
    ...(view.endNanos === undefined ? {} : { endNanos: view.endNanos }),
    role: mapped.role,
    kind: node?.kind ?? 'custom',
    nodeId: node?.nodeId ?? `custom:${mapped.name}`,
    name: mapped.name,
    ...(node?.twinClass === undefined ? {} : { twinClass: node.twinClass, scope: view.scope.name }),
    ...outcomeOf(span, mapped),
    ...(node?.model === undefined ? {} : { model: node.model }),
    ...(typeof responseId === 'string' ? { responseId } : {}),
    ...(node?.toolCallId === undefined ? {} : { toolCallId: node.toolCallId }),
    ...(node?.usage === undefined ? {} : { tokens: [node.usage.inputTokens, node.usage.outputTokens] as const }),
    ...callFactsOf(node),
    ...gapsOf(node),
    ...(node?.mayBeAgent === true ? { mayBeAgent: true } : {}),
    ...(node?.innerAgent === undefined ? {} : { innerAgent: node.innerAgent }),
    ...(mapped.run === undefined ? {} : { run: mapped.run }),
    ...(typeof service === 'string' && service !== '' ? { app: service } : {}),
    ...(sdk === undefined ? {} : { sdk }),
  }
}

/** What other spans may know of an agent or a tool that it does not say itself. */
function gapsOf(node: MappedNode | undefined): Pick<SpanFacts, 'noInput' | 'noOutput'> {
  if (node === undefined) return {}
  const { kind, input, output, error, mayBeAgent } = node
  if (kind === 'agent' || mayBeAgent === true)
    return { noInput: input === undefined, noOutput: output === undefined && error === undefined }
  if (kind !== 'tool') return {}
  return { noInput: !isFields(input), noOutput: error === undefined ? output === undefined : isVagueFailure(error) }
}

function outcomeOf(span: DecodedSpan, mapped: MappedSpan): Pick<SpanFacts, 'status' | 'error'> {
  if (mapped.role === 'node') {
    if (mapped.aborted === true) return { status: 'aborted' }
    if (mapped.error === undefined) return { status: 'ok' }
    return { status: 'error', error: { name: mapped.error.name, message: mapped.error.message } }
  }
  if (span.view.status.code !== 'error') return { status: 'ok' }
  return { status: 'error', error: { name: 'Error', message: span.view.status.message ?? `${mapped.name} failed` } }
}

function sdkOf({ view }: DecodedSpan): SdkInfo | undefined {
  const name = view.resource['telemetry.sdk.name']
  if (typeof name !== 'string') return undefined
  const version = view.resource['telemetry.sdk.version']
  const language = view.resource['telemetry.sdk.language']
  return { name, version: typeof version === 'string' ? version : '', ...(typeof language === 'string' ? { language } : {}) }
}

/** When the span ended, never before its start: two clocks may have stamped them. */
export function endOf({ startNanos, endNanos }: SpanFacts): bigint {
  return endNanos !== undefined && endNanos > startNanos ? endNanos : startNanos
}

/** Both copies as one: an ended one stands over an open one, then ours over another's; the other fills what is absent. */
export function mergeCopies(ours: SpanFacts | undefined, other: SpanFacts | undefined): SpanFacts {
  const [first, second] = rankCopies(ours, other)
  if (first === undefined) throw new Error('a span record without any copy')
  return second === undefined ? first : fill(first, second)
}

/** The copies in order of rank. */
export function rankCopies<Copy extends { readonly final: boolean }>(
  ours: Copy | undefined,
  other: Copy | undefined,
): readonly [Copy | undefined, Copy | undefined] {
  if (ours === undefined) return [other, undefined]
  if (other === undefined) return [ours, undefined]
  return other.final && !ours.final ? [other, ours] : [ours, other]
}

function fill(first: SpanFacts, second: SpanFacts): SpanFacts {
  const run = second.run === undefined ? first.run : { ...second.run, ...first.run }
  return {
    ...second,
    ...first,
    ...(run === undefined ? {} : { run }),
    ...(first.noInput === undefined ? {} : { noInput: first.noInput && second.noInput !== false }),
    ...(first.noOutput === undefined ? {} : { noOutput: first.noOutput && second.noOutput !== false }),
    status: first.status,
    ...(first.error ? { error: first.error } : {}),
  }
}

/** The facts as JSON text; 64-bit times as decimal strings. */
export function writeFacts(facts: SpanFacts): string {
  return JSON.stringify({
    ...facts,
    startNanos: String(facts.startNanos),
    endNanos: facts.endNanos === undefined ? undefined : String(facts.endNanos),
  })
}

/** Reads what `writeFacts` wrote; the text comes from our own store. */
export function readFacts(json: string): SpanFacts {
  const { startNanos, endNanos, ...rest } = JSON.parse(json)
  return { ...rest, startNanos: BigInt(startNanos), ...(endNanos === undefined ? {} : { endNanos: BigInt(endNanos) }) }
}
