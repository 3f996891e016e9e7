import type { GateDecision, Session } from '@graphmind-ai/client'
import { type ErrorInfo, type PausePoint, REDACTED } from '@graphmind-ai/schema'
import { exactId } from '../exact-json.ts'
import type { GateAnswer, Gates } from '../gates.ts'
import type { Say } from '../say.ts'
import { storable } from '../storable.ts'
import { Exchange, type Frame } from './exchange.ts'
import { abortedFrame, injectedError, injectedFrame } from './inject.ts'
import { isSecret, recordedRequest } from './privacy.ts'
import { readClientFrame, readGatewayFrame, type ServiceAnswer, type ServiceRequest } from './read-frame.ts'
import { Recorder } from './recorder.ts'
import { type Verdict, verdictOf } from './verdict.ts'

/** What a peer can make a connection keep. */
export interface ConnectionLimits {
  /** Ids whose late frames are still recognised; the oldest is forgotten, and its late frames count as unrouted. */
  readonly exchanges: number
  /** Bytes of one answer that are kept back; a longer one is let through, and only its last frame can still be held. */
  readonly waitingBytes: number
}

export const CONNECTION_LIMITS: ConnectionLimits = { exchanges: 10_000, waitingBytes: 64 * 1024 * 1024 }

export interface ConnectionPorts {
  readonly session: Session
  readonly gates: Gates
  readonly nowMs: () => number
  readonly say: Say
  readonly limits: ConnectionLimits
  readonly toClient: (frame: Frame) => void
  readonly toGateway: (frame: Frame) => void
}

type Ending = Exclude<Verdict, { state: 'more' }>

/** One client and the gateway: every frame is told, may be held with its request, and goes on as it came unless a person decides otherwise. */
export class Connection {
  readonly #ports: ConnectionPorts
  readonly #recorder: Recorder
  readonly #id: string
  /** The newest exchange of each id, oldest first. */
  readonly #exchanges = new Map<string, Exchange>()
  /** Those that have no end yet, also when their id was used again. */
  readonly #unfinished = new Set<Exchange>()
  readonly #held = new Set<Promise<void>>()
  /** How often each id was used, for the ones that are remembered. */
  readonly #uses = new Map<string, number>()
  readonly #unrouted = { fromClient: 0, fromGateway: 0 }
  #auth: 'ok' | 'failed' | undefined
  #isOver = false

  constructor(id: string, upstream: string, ports: ConnectionPorts) {
    this.#id = id
    this.#ports = ports
    this.#recorder = new Recorder(ports.session, { connection: id, upstream }, ports.nowMs)
  }

  fromClient(frame: Frame): void {
    const reading = readClientFrame(frame.bytes)
    if (reading.kind === 'unrouted') this.#unrouted.fromClient += 1
    if (reading.kind === 'request') this.#request(frame, reading)
    else this.#ports.toGateway(frame)
  }

  fromGateway(frame: Frame): void {
    const reading = readGatewayFrame(frame.bytes)
    if (reading.kind === 'auth') this.#auth = reading.isOk ? 'ok' : 'failed'
    const exchange = reading.kind === 'answer' ? this.#exchanges.get(keyOf(reading.id)) : undefined
    if (reading.kind === 'answer' && exchange !== undefined) {
      this.#answer(exchange, frame, reading)
      return
    }
    if (reading.kind !== 'auth') this.#unrouted.fromGateway += 1
    this.#ports.toClient(frame)
  }

  /** The client is gone: what it asked for ends as aborted. */
  clientClosed(): void {
    void this.#close((exchange) => this.#recorder.finished(exchange, 'aborted', undefined))
  }

  /** The gateway is gone. Resolves when what was held has gone on, and the rest is told as failed. */
  gatewayClosed(): Promise<void> {
    const error = { name: 'ConnectionClosed', message: 'The gateway closed the connection before it answered.' }
    return this.#close((exchange) => this.#recorder.failed(exchange, error))
  }

  async #close(end: (exchange: Exchange) => void): Promise<void> {
    if (this.#isOver) return
    this.#isOver = true
    for (const exchange of this.#unfinished) exchange.patience.abort()
    await Promise.all(this.#held)
    for (const exchange of this.#unfinished) end(exchange)
    this.#unfinished.clear()
    const wasAborted = this.#ports.gates.aborted.has(this.#recorder.runId)
    this.#recorder.ended(wasAborted ? 'aborted' : 'ok', { auth: this.#auth, unrouted: this.#unrouted })
  }

  #request(frame: Frame, request: ServiceRequest): void {
    const current = this.#exchanges.get(keyOf(request.id))
    if (current !== undefined && this.#unfinished.has(current) && current.frame.bytes.equals(frame.bytes)) {
      current.resends += 1
      // While it is held, a copy would start the very work that the hold is for.
      if (current.phase === 'open') this.#ports.toGateway(frame)
      return
    }
    const exchange = this.#open(request, frame, 1)
    const send = () => {
      exchange.phase = 'open'
      this.#ports.toGateway(frame)
    }
    const asked = this.#ask('before', exchange, {})
    if (asked === undefined) send()
    else this.#hold(exchange, 'held-before', asked, (decision) => this.#decided(exchange, decision, { onward: send, again: send }))
  }

  /** Does what a person decided, whatever was held; `onward` and `again` are what the two differ in. */
  #decided(
    exchange: Exchange,
    decision: GateDecision,
    { onward, again }: { readonly onward: () => void; readonly again: () => void },
  ): void {
    switch (decision.action) {
      case 'continue':
        onward()
        break
      case 'retry':
        again()
        break
      case 'inject':
        this.#inject(exchange, decision.output)
        break
      case 'abort':
        this.#abort(exchange)
        break
    }
  }

  #answer(exchange: Exchange, frame: Frame, answer: ServiceAnswer): void {
    switch (exchange.phase) {
      case 'replaced':
        break
      case 'held-answer':
        exchange.keepBack(frame)
        // Whoever sends so much behind a held answer must not make us keep it: the hold ends.
        if (exchange.waitingBytes > this.#ports.limits.waitingBytes) exchange.patience.abort()
        break
      case 'held-before':
      case 'relayed':
        this.#ports.toClient(frame)
        break
      case 'open':
        this.#observe(exchange, frame, answer)
        break
    }
  }

  #observe(exchange: Exchange, frame: Frame, answer: ServiceAnswer): void {
    if (exchange.mayGetOldEnd && isEmptyEnd(answer)) {
      exchange.mayGetOldEnd = false
      return
    }
    exchange.mayGetOldEnd = false
    const verdict = verdictOf(answer, exchange.request)
    if (verdict.state !== 'failed') {
      exchange.observe(answer.response, frame.bytes.length)
      this.#recorder.observed(exchange, answer.response)
    }
    if (verdict.state === 'more') this.#more(exchange, frame)
    else this.#whole(exchange, frame, verdict)
  }

  #more(exchange: Exchange, frame: Frame): void {
    exchange.isBuffering ??= this.#ports.session.mightHold('after', gateNode(exchange), this.#recorder.runId)
    if (exchange.isBuffering && exchange.waitingBytes + frame.bytes.length > this.#ports.limits.waitingBytes) {
      exchange.isBuffering = false
      this.#ports.say(`the answer to ${exchange.label} is too long to be kept back: it goes on, and only its last frame can be held.`)
      this.#flush(exchange)
    }
    if (exchange.isBuffering) exchange.keepBack(frame)
    else this.#ports.toClient(frame)
  }

  #whole(exchange: Exchange, frame: Frame, ending: Ending): void {
    const point = ending.state === 'failed' ? 'error' : 'after'
    const asked = this.#ask(point, exchange, ending.state === 'failed' ? { error: ending.error } : { output: exchange.output })
    exchange.keepBack(frame)
    const onward = () => this.#relay(exchange, ending)
    const again = () => this.#retry(exchange, ending)
    if (asked === undefined) onward()
    else this.#hold(exchange, 'held-answer', asked, (decision) => this.#decided(exchange, decision, { onward, again }))
  }

  #relay(exchange: Exchange, ending: Ending): void {
    this.#finish(exchange, ending)
    exchange.phase = 'relayed'
    this.#flush(exchange)
  }

  #retry(exchange: Exchange, ending: Ending): void {
    this.#finish(exchange, ending)
    exchange.phase = 'replaced'
    exchange.takeWaiting()
    const again = this.#open(exchange.request, exchange.frame, exchange.attempt + 1)
    again.mayGetOldEnd = ending.state === 'whole' && ending.isSoft
    this.#ports.toGateway(exchange.frame)
  }

  #inject(exchange: Exchange, value: unknown): void {
    const frame = injectedFrame(value, exactId(exchange.frame.bytes), exchange.request)
    const error = injectedError(frame)
    this.#unfinished.delete(exchange)
    if (error === undefined) this.#recorder.finished(exchange, 'ok', value, { injected: true })
    else this.#recorder.failed(exchange, error, { injected: true })
    this.#replace(exchange, frame)
  }

  #abort(exchange: Exchange): void {
    this.#unfinished.delete(exchange)
    this.#recorder.finished(exchange, 'aborted', undefined)
    this.#replace(exchange, abortedFrame(exactId(exchange.frame.bytes)))
  }

  #replace(exchange: Exchange, frame: object): void {
    exchange.phase = 'replaced'
    exchange.takeWaiting()
    this.#ports.toClient({ bytes: Buffer.from(JSON.stringify(frame)), isBinary: false })
  }

  #finish(exchange: Exchange, ending: Ending): void {
    this.#unfinished.delete(exchange)
    if (ending.state === 'failed') this.#recorder.failed(exchange, ending.error)
    else this.#recorder.finished(exchange, 'ok', exchange.output)
  }

  #flush(exchange: Exchange): void {
    for (const frame of exchange.takeWaiting()) this.#ports.toClient(frame)
  }

  #open(request: ServiceRequest, frame: Frame, attempt: number): Exchange {
    const key = keyOf(request.id)
    const uses = (this.#uses.get(key) ?? 0) + 1
    const instanceId = storable(`${this.#id}:${String(request.id)}${uses === 1 ? '' : `#${uses}`}`)
    const exchange = new Exchange(request, frame, { instanceId, attempt, startedMs: this.#ports.nowMs() })
    this.#forget(key)
    this.#exchanges.set(key, exchange)
    this.#uses.set(key, uses)
    const [oldest] = this.#exchanges
    if (this.#exchanges.size > this.#ports.limits.exchanges && oldest !== undefined) {
      this.#unfinished.delete(oldest[1])
      this.#forget(oldest[0])
    }
    this.#unfinished.add(exchange)
    this.#recorder.started(exchange)
    return exchange
  }

  #forget(key: string): void {
    this.#exchanges.delete(key)
    this.#uses.delete(key)
  }

  #ask(
    point: PausePoint,
    exchange: Exchange,
    facts: { readonly output?: unknown; readonly error?: ErrorInfo },
  ): Promise<GateAnswer> | undefined {
    const { gates, nowMs } = this.#ports
    const { request, label, patience, usage, startedMs } = exchange
    const isHidden = isSecret(request)
    return gates.ask(point, gateNode(exchange), {
      runId: this.#recorder.runId,
      label,
      signal: patience.signal,
      input: recordedRequest(request),
      output: facts.output,
      ...(facts.error === undefined ? {} : { error: isHidden ? { name: facts.error.name, message: REDACTED } : facts.error }),
      ...(point === 'before' ? {} : { durationMs: nowMs() - startedMs, usage }),
    })
  }

  #hold(
    exchange: Exchange,
    phase: 'held-before' | 'held-answer',
    asked: Promise<GateAnswer>,
    decided: (decision: GateDecision) => void,
  ): void {
    exchange.phase = phase
    const done = asked.then(({ decision, heldMs }) => {
      this.#held.delete(done)
      exchange.heldMs += heldMs
      decided(decision)
    })
    this.#held.add(done)
  }
}

function gateNode({ node, instanceId }: Exchange) {
  return { ...node, instanceId, parentInstanceId: 'trustgraph:session' }
}

/** Ids are told apart with their type. */
function keyOf(id: unknown): string {
  return JSON.stringify(id)
}

/** What old gateways send after an answer that was whole already. */
function isEmptyEnd({ response, isComplete, error }: ServiceAnswer): boolean {
  return isComplete === true && error === undefined && response['response'] === '' && response['end_of_session'] === true
}
