import { randomUUID } from 'node:crypto'
import type { Session } from '@graphmind-ai/client'
import type { ErrorInfo, GraphNodeHint, RunStatus } from '@graphmind-ai/schema'
import { VERSION } from '../../version.ts'
import { rounded } from '../rounded.ts'
import { storable } from '../storable.ts'
import type { Call } from './call.ts'
import { type MethodNode, PROTOCOL_NODE, SESSION_NODE } from './methods.ts'
import type { TraceContext } from './trace-context.ts'

/** Stdout noise that is shown one by one; the rest is counted. */
const MAX_NOISE_NODES = 25
const MAX_NOISE_QUOTE_BYTES = 200
/** Segments of an absolute path in the label of a run; the whole command is in its metadata. */
const SHOWN_SEGMENTS = 3

export interface CommandLine {
  readonly command: string
  readonly args: readonly string[]
}

interface Ending {
  readonly status: RunStatus
  /** Why the server's own node failed. */
  readonly error?: ErrorInfo
  /** Why the requests without an answer will never get one; they end as aborted without it. */
  readonly unanswered?: ErrorInfo
}

/** Tells the conversation as events: the server node, the group of protocol calls, and each call below one of them. */
export class Recorder {
  readonly runId = `run_${randomUUID()}`
  readonly #session: Session
  readonly #nowMs: () => number
  readonly #startedMs: number
  /** Makes instances of calls unique in a run that others write to as well. */
  readonly #prefix = randomUUID().slice(0, 8)
  readonly #label: string
  #instances = 0
  #protocol: { readonly startedMs: number } | undefined
  #protocolCalls = 0
  #protocolErrors = 0
  #stdoutNoise = 0

  constructor(session: Session, { command, args }: CommandLine, nowMs: () => number) {
    this.#session = session
    this.#nowMs = nowMs
    this.#startedMs = nowMs()
    // The label of a run is never redacted, so hidden arguments must not get into it.
    const shown = session.hide.hideInputs ? [command] : [command, ...args]
    this.#label = shown.map(shortened).join(' ')
    const meta = { name: this.#label, source: 'live', command: shown }
    session.emit('run.started', { app: 'mcp-proxy', sdk: { name: 'graphmind-mcp-proxy', version: VERSION }, meta }, { runId: this.runId })
    this.#sessionStarted(this.#label, { command, args })
  }

  /** The server said its name. */
  named(name: string): void {
    this.#sessionStarted(name)
  }

  hint(nodes: readonly GraphNodeHint[]): void {
    if (nodes.length > 0) this.#session.emit('graph.hint', { nodes: [...nodes] }, { runId: this.runId })
  }

  /** Where a call is drawn: in the caller's run when it brought trace context, else below the server. */
  place(node: MethodNode, trace: TraceContext | undefined): Pick<Call, 'instanceId' | 'parentInstanceId' | 'runId'> {
    this.#instances += 1
    const instanceId = `mcp_${this.#instances}`
    if (trace !== undefined)
      return { instanceId: `${this.#prefix}:${instanceId}`, parentInstanceId: trace.parentSpanId, runId: trace.traceId }
    if (node.parentId === PROTOCOL_NODE) this.#startProtocol()
    return { instanceId, parentInstanceId: node.parentId, runId: this.runId }
  }

  started({ node, instanceId, parentInstanceId, runId, attempt }: Call, ungated: string | undefined): void {
    const { nodeId, kind, name, parentId, input } = node
    const isOurs = runId === this.runId
    if (isOurs && parentId === PROTOCOL_NODE) this.#protocolCalls += 1
    this.#session.emit(
      'node.started',
      {
        nodeId,
        kind,
        name,
        instanceId,
        parentInstanceId,
        input,
        ...(isOurs ? { parentId } : { traceId: runId }),
        ...(attempt > 1 ? { attempt } : {}),
        ...(ungated === undefined ? {} : { ungated }),
      },
      { runId },
    )
  }

  finished(call: Call, status: RunStatus, output: unknown, extras: { readonly injected?: true; readonly model?: string } = {}): void {
    const payload = { ...this.#endOf(call), status, durationMs: this.#since(call.startedMs), output, ...extras }
    this.#session.emit('node.finished', payload, { runId: call.runId })
  }

  failed(call: Call, error: ErrorInfo, extras: { readonly injected?: true } = {}): void {
    if (call.runId === this.runId && call.node.parentId === PROTOCOL_NODE) this.#protocolErrors += 1
    this.#session.emit('node.error', { ...this.#endOf(call), error, ...extras }, { runId: call.runId })
  }

  /** The server logs to stderr: its words belong to its node. */
  logged(text: string): void {
    if (text === '') return
    const deltas = [{ t: 'text' as const, v: text }]
    this.#session.emit('node.token', { nodeId: SESSION_NODE, instanceId: SESSION_NODE, deltas }, { runId: this.runId })
  }

  /** A line of the server on stdout that is no JSON. */
  noise(text: string): void {
    this.#stdoutNoise += 1
    if (this.#stdoutNoise > MAX_NOISE_NODES) return
    this.#instances += 1
    const node = { nodeId: 'mcp:stdout-noise', instanceId: `mcp_${this.#instances}` }
    const parent = { parentId: SESSION_NODE, parentInstanceId: SESSION_NODE }
    const quote = this.#session.hide.hideOutputs ? '' : `: ${quoted(text)}`
    const message = `The server printed a line that is no JSON on stdout${quote}. Only the protocol may go there; log to stderr.`
    const options = { runId: this.runId }
    this.#session.emit('node.started', { ...node, ...parent, kind: 'custom', name: 'stdout noise' }, options)
    this.#session.emit('node.error', { ...node, error: { name: 'StdoutNoise', message } }, options)
  }

  /** Ends the run, and what is still open in it. */
  ended(open: readonly Call[], { status, error, unanswered }: Ending): void {
    for (const call of open) {
      if (unanswered === undefined) this.finished(call, 'aborted', undefined)
      else this.failed(call, unanswered)
    }
    const options = { runId: this.runId }
    if (this.#protocol !== undefined) {
      const output = { calls: this.#protocolCalls, errors: this.#protocolErrors, stdoutNoise: this.#stdoutNoise }
      const durationMs = this.#since(this.#protocol.startedMs)
      this.#session.emit('node.finished', { nodeId: PROTOCOL_NODE, instanceId: PROTOCOL_NODE, status: 'ok', durationMs, output }, options)
    }
    const node = { nodeId: SESSION_NODE, instanceId: SESSION_NODE }
    if (error === undefined) {
      this.#session.emit('node.finished', { ...node, status: 'ok', durationMs: this.#since(this.#startedMs) }, options)
    } else {
      this.#session.emit('node.error', { ...node, error }, options)
    }
    this.#session.emit('run.finished', { status, ...(error === undefined ? {} : { error }) }, options)
  }

  #endOf({ node, instanceId, heldMs, attempt }: Call) {
    return {
      nodeId: node.nodeId,
      instanceId,
      ...(heldMs > 0 ? { heldMs: rounded(heldMs) } : {}),
      ...(attempt > 1 ? { attempts: attempt } : {}),
    }
  }

  #sessionStarted(name: string, input?: CommandLine): void {
    const node = { nodeId: SESSION_NODE, instanceId: SESSION_NODE, kind: 'server' as const, name: storable(name) }
    this.#session.emit('node.started', { ...node, ...(input === undefined ? {} : { input }) }, { runId: this.runId })
  }

  #startProtocol(): void {
    if (this.#protocol !== undefined) return
    this.#protocol = { startedMs: this.#nowMs() }
    const node = { nodeId: PROTOCOL_NODE, instanceId: PROTOCOL_NODE, kind: 'custom' as const, name: 'protocol' }
    const parent = { parentId: SESSION_NODE, parentInstanceId: SESSION_NODE, collapsed: true }
    this.#session.emit('node.started', { ...node, ...parent }, { runId: this.runId })
  }

  #since(startedMs: number): number {
    return rounded(this.#nowMs() - startedMs)
  }
}

/** The end of a long path says what it is; its start only where it is. */
function shortened(word: string): string {
  const parts = word.split(/[\\/]/)
  const isPath = parts.length > SHOWN_SEGMENTS && (parts[0] === '' || /^[A-Za-z]:$/.test(parts[0] ?? ''))
  return isPath ? parts.slice(-SHOWN_SEGMENTS).join('/') : word
}

function quoted(text: string): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= MAX_NOISE_QUOTE_BYTES) return `“${text}”`
  // A character cut in half would show as a replacement character.
  const cut = new TextDecoder().decode(bytes.subarray(0, MAX_NOISE_QUOTE_BYTES), { stream: true })
  return `“${cut}…”`
}
