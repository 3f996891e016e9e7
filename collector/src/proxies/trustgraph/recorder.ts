import { randomUUID } from 'node:crypto'
import type { Session } from '@graphmind-ai/client'
import { type ErrorInfo, REDACTED, type RunStatus } from '@graphmind-ai/schema'
import { VERSION } from '../../version.ts'
import type { Fields } from '../json-fields.ts'
import { rounded } from '../rounded.ts'
import { storable } from '../storable.ts'
import type { StepEffect } from './agent-steps.ts'
import type { Exchange } from './exchange.ts'
import { isSecret, recordedRequest } from './privacy.ts'
import { streamedText } from './services.ts'

const ROOT = 'trustgraph:session'

/** What is known of a connection when it ends. */
export interface ConnectionFacts {
  /** What the gateway said to the last authentication of the connection. */
  readonly auth: 'ok' | 'failed' | undefined
  /** Frames that belong to no request. */
  readonly unrouted: { readonly fromClient: number; readonly fromGateway: number }
}

export interface Extras {
  readonly injected?: true
}

/** Tells a connection as a run: the session node, its requests, and the steps of agents below those. */
export class Recorder {
  readonly runId = `run_${randomUUID()}`
  readonly #session: Session
  readonly #nowMs: () => number
  readonly #startedMs: number
  readonly #connection: string
  /** When the open steps of agents began, by instance. */
  readonly #stepsSince = new Map<string, number>()
  #hasFlow = false

  /** `upstream` is the gateway's host: nothing else of its address may be recorded. */
  constructor(session: Session, { connection, upstream }: { readonly connection: string; readonly upstream: string }, nowMs: () => number) {
    this.#session = session
    this.#nowMs = nowMs
    this.#startedMs = nowMs()
    this.#connection = connection
    this.#runStarted(upstream)
    session.emit('node.started', { nodeId: ROOT, kind: 'server', name: storable(upstream), instanceId: ROOT }, this.#run)
  }

  started({ request, node, instanceId, attempt }: Exchange): void {
    const { service, operation, flow, workspace, id, isStreaming } = request
    if (flow !== undefined && !this.#hasFlow) {
      this.#hasFlow = true
      this.#runStarted(flow)
    }
    const trustgraph = {
      service,
      ...(operation === undefined ? {} : { operation }),
      ...(flow === undefined ? {} : { flow }),
      ...(workspace === undefined ? {} : { workspace }),
      requestId: String(id),
      connection: this.#connection,
      streaming: isStreaming,
    }
    const place = { parentId: ROOT, parentInstanceId: ROOT, ...(attempt > 1 ? { attempt } : {}) }
    this.#session.emit('node.started', { ...node, instanceId, ...place, input: recordedRequest(request), trustgraph }, this.#run)
  }

  /** The part of an answer that one frame adds. */
  observed(exchange: Exchange, response: Fields): void {
    const { request, node, instanceId, steps, isCut } = exchange
    if (isCut) return
    for (const effect of steps?.take(response) ?? []) this.#step(exchange, effect)
    const text = streamedText(request, response)
    if (text === undefined || text === '') return
    this.#session.emit('node.token', { nodeId: node.nodeId, instanceId, deltas: [{ t: 'text', v: text }] }, this.#run)
  }

  finished(exchange: Exchange, status: RunStatus, output: unknown, extras: Extras = {}): void {
    this.#endSteps(exchange, status === 'ok' && extras.injected !== true)
    const shown = output !== undefined && isSecret(exchange.request) ? REDACTED : output
    const durationMs = this.#since(exchange.startedMs)
    this.#session.emit('node.finished', { ...this.#endOf(exchange), status, durationMs, output: shown, ...extras }, this.#run)
  }

  failed(exchange: Exchange, error: ErrorInfo, extras: Extras = {}): void {
    this.#endSteps(exchange, false)
    const shown = isSecret(exchange.request) ? { name: error.name, message: REDACTED } : error
    this.#session.emit('node.error', { ...this.#endOf(exchange), error: shown, ...extras }, this.#run)
  }

  ended(status: RunStatus, facts: ConnectionFacts): void {
    const trustgraph = { ...(facts.auth === undefined ? {} : { auth: facts.auth }), unrouted: facts.unrouted }
    const node = { nodeId: ROOT, instanceId: ROOT, durationMs: this.#since(this.#startedMs) }
    this.#session.emit('node.finished', { ...node, status: 'ok', trustgraph }, this.#run)
    this.#session.emit('run.finished', { status }, this.#run)
  }

  get #run(): { readonly runId: string } {
    return { runId: this.runId }
  }

  #runStarted(name: string): void {
    const sdk = { name: 'graphmind-trustgraph-proxy', version: VERSION }
    this.#session.emit('run.started', { app: 'trustgraph', sdk, meta: { name: storable(name), source: 'live' } }, this.#run)
  }

  #endSteps(exchange: Exchange, isOk: boolean): void {
    for (const effect of exchange.steps?.end(isOk) ?? []) this.#step(exchange, effect)
  }

  #step({ instanceId: agent, node }: Exchange, effect: StepEffect): void {
    const { child } = effect
    const instanceId = child === undefined ? agent : `${agent}:${child}`
    switch (effect.type) {
      case 'started': {
        const place = { parentId: node.nodeId, parentInstanceId: agent, ungated: 'inside-trustgraph' }
        const input = effect.input === undefined ? {} : { input: effect.input }
        this.#stepsSince.set(instanceId, this.#nowMs())
        this.#session.emit('node.started', { ...effect.node, instanceId, ...place, ...input }, this.#run)
        break
      }
      case 'text': {
        const { nodeId } = child === undefined ? node : { nodeId: 'llm:step' }
        this.#session.emit('node.token', { nodeId, instanceId, deltas: [{ t: effect.channel, v: effect.text }] }, this.#run)
        break
      }
      case 'finished': {
        const { nodeId } = effect.node
        const end = { nodeId, instanceId, status: 'ok' as const, durationMs: this.#stepTook(instanceId), output: effect.output }
        this.#session.emit('node.finished', { ...end, ...effect.extras }, this.#run)
        break
      }
      case 'failed':
        this.#stepsSince.delete(instanceId)
        this.#session.emit('node.error', { nodeId: effect.node.nodeId, instanceId, error: effect.error }, this.#run)
        break
      case 'aborted':
        this.#session.emit(
          'node.finished',
          { nodeId: effect.node.nodeId, instanceId, status: 'aborted', durationMs: this.#stepTook(instanceId) },
          this.#run,
        )
        break
    }
  }

  #endOf({ node, instanceId, usage, model, explain, resends, heldMs, attempt, isCut }: Exchange) {
    return {
      nodeId: node.nodeId,
      instanceId,
      ...(usage === undefined ? {} : { usage }),
      ...(model === undefined ? {} : { model }),
      ...(explain.length === 0 ? {} : { explain: [...explain] }),
      ...(resends === 0 ? {} : { resends }),
      ...(isCut ? { cut: true } : {}),
      ...(heldMs > 0 ? { heldMs: rounded(heldMs) } : {}),
      ...(attempt > 1 ? { attempts: attempt } : {}),
    }
  }

  #stepTook(instanceId: string): number {
    const since = this.#stepsSince.get(instanceId)
    this.#stepsSince.delete(instanceId)
    return since === undefined ? 0 : this.#since(since)
  }

  #since(startedMs: number): number {
    return rounded(this.#nowMs() - startedMs)
  }
}
