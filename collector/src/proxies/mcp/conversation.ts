import type { GateDecision, GateNode, Session } from '@graphmind-ai/client'
import type { PausePoint, ResumeAction } from '@graphmind-ai/schema'
import { exactId } from '../exact-json.ts'
import type { Gates } from '../gates.ts'
import { isFields } from '../json-fields.ts'
import { type Call, labelOf, withArguments } from './call.ts'
import { isRequestId, type Message, type Notification, type Reading, type Request, type RequestId, type Response } from './json-rpc.ts'
import { KnownServer } from './known-server.ts'
import { answerFrame, notificationFrame } from './lift.ts'
import { isToolCall, nodeOf, type Sender } from './methods.ts'
import { ABORTED, MOVES } from './moves.ts'
import { type Outcome, outcomeOf } from './outcome.ts'
import { keyOf, PendingCalls } from './pending.ts'
import type { Recorder } from './recorder.ts'
import { traceContextOf } from './trace-context.ts'

const WITHOUT_RETRY: readonly ResumeAction[] = ['continue', 'inject', 'abort']

export interface ConversationPorts {
  readonly session: Session
  readonly gates: Gates
  readonly recorder: Recorder
  readonly nowMs: () => number
  /** Hands a line to a side; resolves when more may be sent to it. */
  readonly write: (to: Sender, line: Buffer) => Promise<void>
}

/** A request or notification with the place it is drawn at. */
type Placed = Omit<Call, 'id' | 'bytes' | 'patience'>

/** What the two sides say to each other: each line is told, may be held, and goes on as the bytes that arrived unless a person decides otherwise. */
export class Conversation {
  readonly #ports: ConversationPorts
  readonly #pending = new PendingCalls()
  readonly #server = new KnownServer()
  /** Aborted when the server is gone: what was meant for it need not wait any more. */
  readonly #serverGone = new AbortController()
  /** Cancelled requests whose cancellation is still on its way: nobody waits for them. */
  readonly #givenUp = new Set<string>()
  #isOver = false

  constructor(ports: ConversationPorts) {
    this.#ports = ports
  }

  /** Requests without an answer yet. */
  get open(): readonly Call[] {
    return this.#pending.all()
  }

  /** From now on nothing is held, replaced or told: whatever still waits goes on as it is. */
  stopObserving(): void {
    this.#isOver = true
  }

  serverGone(): void {
    this.#serverGone.abort()
  }

  /** Looks at a line as it arrives: a sender that gives up a request is not to find its later ones waiting behind it. */
  ahead(sender: Sender, reading: Reading): void {
    const id = reading.kind === 'notification' ? cancelledId(reading) : undefined
    if (id === undefined || this.#isOver) return
    this.#givenUp.add(keyOf(sender, id))
    this.#pending.find(sender, id)?.patience.abort()
  }

  /** Deals with one line of a side; resolves when the next one of that side may come. */
  take(sender: Sender, line: Buffer, reading: Reading): Promise<void> {
    if (this.#isOver) return this.#forward(sender, line)
    switch (reading.kind) {
      case 'request':
        return this.#request(sender, line, reading)
      case 'response':
        return this.#response(sender, line, reading)
      case 'notification':
        return this.#notification(sender, line, reading)
      case 'batch':
        for (const message of reading.messages) this.#observe(sender, message)
        return this.#forward(sender, line)
      case 'noise':
        if (sender === 'server') this.#ports.recorder.noise(reading.text)
        return this.#forward(sender, line)
      case 'other':
        return this.#forward(sender, line)
    }
  }

  async #request(sender: Sender, line: Buffer, request: Request): Promise<void> {
    const call = this.#opened(sender, request, line, 1)
    const decision = await this.#asked('before', call, {})
    if (decision === undefined) return this.#forward(sender, line)
    switch (MOVES.request[decision.action]) {
      case 'answer':
        return this.#inject(call, decision)
      case 'refuse':
        return this.#refuse(call)
      default: {
        const edited = editOf(decision)
        const bytes = edited === undefined ? line : withArguments(line, call.node.input, edited.input)
        this.#pending.replaceLine(call, bytes)
        return this.#forward(sender, bytes)
      }
    }
  }

  async #response(sender: Sender, line: Buffer, response: Response): Promise<void> {
    const call = this.#pending.find(other(sender), response.id)
    if (call === undefined) return this.#forward(sender, line)
    const outcome = outcomeOf(response, call.method, this.#ports.session.hide)
    const decision = await this.#asked(outcome.point, call, outcome)
    switch (decision === undefined ? 'forward' : MOVES.answer[decision.action]) {
      case 'answer':
        return this.#inject(call, decision)
      case 'refuse':
        return this.#refuse(call)
      case 'resend':
        return this.#resend(call, outcome, decision)
      default:
        this.#settled(call, outcome)
        return this.#forward(sender, line)
    }
  }

  async #notification(sender: Sender, line: Buffer, notification: Notification): Promise<void> {
    const placed = this.#placed(sender, notification, 1)
    const call: Call = { ...placed, id: '', bytes: undefined, patience: new AbortController() }
    this.#ports.recorder.started(call, undefined)
    const decision = await this.#asked('before', call, {}, notification.method)
    const move = decision === undefined ? 'forward' : MOVES.notification[decision.action]
    if (move === 'swallow') {
      this.#ports.recorder.finished(call, 'aborted', undefined)
      return
    }
    if (move === 'replace') {
      const value = injectedOf(decision)
      this.#ports.recorder.finished(call, 'ok', value, { injected: true })
      return this.#forward(sender, frameOf(notificationFrame(value, notification.method)))
    }
    this.#ports.recorder.finished(call, 'ok', undefined)
    this.#cancelled(sender, notification)
    return this.#forward(sender, line)
  }

  /** A message inside a batch is told, and can't be held by itself. */
  #observe(sender: Sender, message: Message): void {
    const { recorder } = this.#ports
    if (message.kind === 'response') {
      const call = this.#pending.find(other(sender), message.id)
      if (call !== undefined) this.#settled(call, outcomeOf(message, call.method, this.#ports.session.hide))
    } else if (message.kind === 'request') {
      this.#opened(sender, message, undefined, 1)
    } else {
      const call: Call = { ...this.#placed(sender, message, 1), id: '', bytes: undefined, patience: new AbortController() }
      recorder.started(call, 'batch')
      recorder.finished(call, 'ok', undefined)
      this.#cancelled(sender, message)
    }
  }

  #opened(sender: Sender, request: Request, line: Buffer | undefined, attempt: number): Call {
    const call: Call = { ...this.#placed(sender, request, attempt), id: request.id, bytes: line, patience: new AbortController() }
    if (this.#givenUp.has(keyOf(sender, request.id))) call.patience.abort()
    this.#pending.add(call)
    this.#ports.recorder.started(call, line === undefined ? 'batch' : undefined)
    return call
  }

  #placed(sender: Sender, { method, params }: Pick<Request, 'method' | 'params'>, attempt: number): Placed {
    const node = nodeOf(sender, method, params)
    const place = this.#ports.recorder.place(node, traceContextOf(params))
    const isStateless = this.#server.isStateless(params)
    return { sender, method, params, node, ...place, attempt, isStateless, startedMs: this.#ports.nowMs(), heldMs: 0 }
  }

  /** Undefined when the call goes on as it is. */
  async #asked(point: PausePoint, call: Call, facts: Partial<Outcome>, label = labelOf(call)): Promise<GateDecision | undefined> {
    const { gates, nowMs } = this.#ports
    const { node, runId, instanceId, parentInstanceId } = call
    const isEditable = isToolCall(call.sender, call.method) && call.bytes !== undefined
    const isForServer = point === 'before' && call.sender === 'client'
    const { signal } = call.patience
    const asked = gates.ask(point, gateNode(node, instanceId, parentInstanceId), {
      label,
      runId,
      signal: isForServer ? AbortSignal.any([signal, this.#serverGone.signal]) : signal,
      input: node.input,
      output: facts.output,
      ...('error' in facts ? { error: facts.error } : {}),
      ...(point === 'before' ? {} : { durationMs: nowMs() - call.startedMs }),
      ...(point === 'before' || call.bytes !== undefined ? {} : { actions: WITHOUT_RETRY }),
      ...(isEditable ? { editable: true, validate: this.#server.validatorOf(node.name) } : {}),
    })
    if (asked === undefined) return undefined
    const answer = await asked
    if (this.#isOver) return undefined
    call.heldMs += answer.heldMs
    return answer.decision
  }

  #settled(call: Call, outcome: Outcome): void {
    if (!this.#pending.settle(call)) return
    const { recorder } = this.#ports
    if (outcome.point === 'error') {
      recorder.failed(call, outcome.error)
      return
    }
    const { output } = outcome
    const model = call.node.kind === 'llm' && isFields(output) && typeof output['model'] === 'string' ? output['model'] : undefined
    recorder.finished(call, 'ok', output, model === undefined ? {} : { model })
    if (call.sender !== 'client') return
    const before = this.#server.name
    recorder.hint(this.#server.learn(call.method, output))
    if (this.#server.name !== undefined && this.#server.name !== before) recorder.named(this.#server.name)
  }

  /** The sender said that it does not wait any more: by the protocol no answer will come. */
  #cancelled(sender: Sender, notification: Notification): void {
    const id = cancelledId(notification)
    if (id === undefined) return
    this.#givenUp.delete(keyOf(sender, id))
    const call = this.#pending.find(sender, id)
    if (call !== undefined && this.#pending.settle(call)) this.#ports.recorder.finished(call, 'aborted', undefined)
  }

  #inject(call: Call, decision: GateDecision | undefined): Promise<void> {
    const value = injectedOf(decision)
    const frame = answerFrame(value, idOf(call), call)
    if (this.#pending.settle(call)) {
      const { error } = frame
      if (isFields(error)) {
        const message = typeof error['message'] === 'string' ? error['message'] : 'An error was injected.'
        this.#ports.recorder.failed(call, { name: 'JsonRpcError', message }, { injected: true })
      } else {
        this.#ports.recorder.finished(call, 'ok', value, { injected: true })
      }
    }
    return this.#ports.write(call.sender, frameOf(frame))
  }

  #refuse(call: Call): Promise<void> {
    if (this.#pending.settle(call)) this.#ports.recorder.finished(call, 'aborted', undefined)
    return this.#ports.write(call.sender, frameOf({ jsonrpc: '2.0', id: idOf(call), error: ABORTED }))
  }

  #resend(call: Call, outcome: Outcome, decision: GateDecision | undefined): Promise<void> {
    const { bytes } = call
    this.#settled(call, outcome)
    // The gate did not offer a retry without them.
    if (bytes === undefined) return Promise.resolve()
    const edited = editOf(decision)
    const line = edited === undefined ? bytes : withArguments(bytes, call.node.input, edited.input)
    const { id, method, params } = call
    const again = edited === undefined || !isFields(params) ? params : { ...params, arguments: edited.input }
    this.#opened(call.sender, { kind: 'request', id, method, params: again }, line, call.attempt + 1)
    return this.#forward(call.sender, line)
  }

  #forward(from: Sender, line: Buffer): Promise<void> {
    return this.#ports.write(other(from), line)
  }
}

/** The request that a notification gives up; undefined for every other notification. */
function cancelledId({ method, params }: Notification): RequestId | undefined {
  if (method !== 'notifications/cancelled' || !isFields(params)) return undefined
  return isRequestId(params['requestId']) ? params['requestId'] : undefined
}

export function other(side: Sender): Sender {
  return side === 'client' ? 'server' : 'client'
}

/** A line for the wire. */
function frameOf(value: unknown): Buffer {
  return Buffer.from(`${JSON.stringify(value)}\n`)
}

function gateNode({ nodeId, kind, name }: Call['node'], instanceId: string, parentInstanceId: string): GateNode {
  return { nodeId, kind, name, instanceId, parentInstanceId }
}

function injectedOf(decision: GateDecision | undefined): unknown {
  return decision?.action === 'inject' ? decision.output : undefined
}

function editOf(decision: GateDecision | undefined): { readonly input: unknown } | undefined {
  return decision !== undefined && 'input' in decision ? { input: decision.input } : undefined
}

/** The id as the sender spelled it; a call in a batch is never answered by us. */
function idOf({ bytes, id }: Call): unknown {
  return bytes === undefined ? id : exactId(bytes)
}
