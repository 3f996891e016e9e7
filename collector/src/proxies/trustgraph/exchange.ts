import { REDACTED, type TokenUsage } from '@graphmind-ai/schema'
import type { Fields } from '../json-fields.ts'
import { AgentSteps, readTriples } from './agent-steps.ts'
import { isSecret, recordedResponse } from './privacy.ts'
import { type ServiceRequest, text } from './read-frame.ts'
import { isExplain, nodeOf, outputOf, type ServiceNode } from './services.ts'
import { usageOf } from './verdict.ts'

/** A WebSocket message as it travels. */
export interface Frame {
  readonly bytes: Buffer
  readonly isBinary: boolean
}

/** Bytes of answers kept to be recorded as output; what comes after is relayed and left out. */
export const MAX_RECORDED_BYTES = 4 * 1024 * 1024
const MAX_EXPLAINED = 1_000

/** Where a request stands. */
export type Phase =
  /** Waits at its before gate: the gateway has not seen it. */
  | 'held-before'
  /** The gateway has it. */
  | 'open'
  /** Its answer or failure is whole and waits at a gate; what still comes waits behind it. */
  | 'held-answer'
  /** The client has the gateway's answer: what still comes is relayed. */
  | 'relayed'
  /** The client has an answer of ours: what still comes is dropped. */
  | 'replaced'

/** One request of one client and everything that was said about it. */
export class Exchange {
  readonly request: ServiceRequest
  /** The frame as the client sent it, to be sent again. */
  readonly frame: Frame
  readonly instanceId: string
  readonly node: ServiceNode
  readonly attempt: number
  readonly startedMs: number
  readonly steps: AgentSteps | undefined
  /** Aborted when nobody waits for the answer any more. */
  readonly patience = new AbortController()
  phase: Phase = 'open'
  heldMs = 0
  resends = 0
  waitingBytes = 0
  /** Whether the answer is kept back until it is whole; undefined until its first frame. */
  isBuffering: boolean | undefined
  /** The answer before this attempt was whole without being called complete: its empty end may still come. */
  mayGetOldEnd = false
  usage: TokenUsage | undefined
  model: string | undefined
  readonly explain: { readonly id: string; readonly type?: string }[] = []
  readonly #parts: Fields[] = []
  #waiting: Frame[] = []
  #recordedBytes = 0

  constructor(
    request: ServiceRequest,
    frame: Frame,
    instance: { readonly instanceId: string; readonly attempt: number; readonly startedMs: number },
  ) {
    this.request = request
    this.frame = frame
    this.instanceId = instance.instanceId
    this.attempt = instance.attempt
    this.startedMs = instance.startedMs
    this.node = nodeOf(request)
    this.steps = request.service === 'agent' ? new AgentSteps() : undefined
  }

  get label(): string {
    return `${this.request.service} #${String(this.request.id)}`
  }

  /** Frames that wait: for the rest of an answer that may be held, or behind one that is. */
  keepBack(frame: Frame): void {
    this.#waiting.push(frame)
    this.waitingBytes += frame.bytes.length
  }

  /** Takes the waiting frames out, oldest first. */
  takeWaiting(): readonly Frame[] {
    const waiting = this.#waiting
    this.#waiting = []
    this.waitingBytes = 0
    return waiting
  }

  /** Takes in what a frame says, for the record. */
  observe(response: Fields, bytes: number): void {
    this.usage = usageOf(response) ?? this.usage
    this.model = text(response['model']) ?? this.model
    this.#explained(response)
    this.#recordedBytes += bytes
    if (!this.isCut && this.steps === undefined && !isSecret(this.request)) this.#parts.push(recordedResponse(response, this.request))
  }

  /** The answer is longer than what of it is recorded. */
  get isCut(): boolean {
    return this.#recordedBytes > MAX_RECORDED_BYTES
  }

  /** What the request gave, as it is recorded. */
  get output(): unknown {
    if (isSecret(this.request)) return REDACTED
    return this.steps === undefined ? outputOf(this.request, this.#parts) : this.steps.answer
  }

  #explained(response: Fields): void {
    const id = text(response['explain_id'])
    if (id === undefined || !isExplain(response) || this.explain.length >= MAX_EXPLAINED) return
    // The last type is the most specific one.
    const type = readTriples(response['explain_triples']).types.at(-1)
    this.explain.push({ id, ...(type === undefined ? {} : { type: type.slice(type.lastIndexOf('/') + 1) }) })
  }
}
