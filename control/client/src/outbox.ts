import { PROTOCOL_VERSION } from '@graphmind-ai/schema'
import { type BufferLimits, type Frame, FrameBuffer } from './record/buffer.ts'
import type { Payload } from './record/redact.ts'
import { serialize } from './record/serialize.ts'
import { MAX_PAYLOAD_BYTES, shrinkPayload } from './record/shrink.ts'

/** More than this in the socket, and events wait in the bounded buffer instead. */
const MAX_SOCKET_BYTES = 1024 * 1024

export interface OutboxPorts {
  redact(type: string, payload: Payload): Payload
  /** False when not attached. */
  send(text: string, sent: () => void): boolean
  socketBytes(): number
  warn(kind: string, message: string): void
}

/** Every event of the session on its way out: redacted, shrunk, numbered, buffered, and sent in order while attached. */
export class Outbox {
  readonly #ports: OutboxPorts
  readonly #buffer: FrameBuffer
  #seq = 0
  /** The connection that takes frames, and how many of them it has not sent yet. */
  #connection: { unsent: number; readonly sent: () => void } | undefined
  #onDrained: (() => void) | undefined

  constructor(limits: BufferLimits, ports: OutboxPorts) {
    this.#buffer = new FrameBuffer(limits)
    this.#ports = ports
  }

  /** The next event's number. */
  get seq(): number {
    return this.#seq
  }

  get stats(): { buffered: number; dropped: number; lost: number; pendingGaps: number; seq: number } {
    const { size, dropped, lost, pendingGaps } = this.#buffer
    return { buffered: size, dropped, lost, pendingGaps, seq: this.#seq }
  }

  record(type: string, payload: Payload, runId: string): void {
    const lost = this.#buffer.push(this.#frame(type, this.#ports.redact(type, payload), runId))
    if (lost > 0) {
      this.#ports.warn('lost', `events are being lost: no debugger took them before the buffer was full (${this.#buffer.lost} so far).`)
    }
    this.#pump()
  }

  /** A debugger attached: everything still kept goes out again, oldest first with its own seq, then what was lost is announced. */
  open(): void {
    const connection = {
      unsent: 0,
      sent: () => {
        connection.unsent -= 1
        this.#pump()
      },
    }
    this.#connection = connection
    this.#buffer.rewind()
    for (const { runId, droppedCount, fromSeq, toSeq } of this.#buffer.takeGaps()) {
      const gap = { droppedCount, fromSeq, toSeq, reason: 'buffer-overflow' }
      this.#buffer.append(this.#frame('graph.hint', { nodes: [], gap }, runId))
    }
    this.#pump()
  }

  /** The debugger is gone: events stay in the buffer. */
  close(): void {
    this.#connection = undefined
    this.#tellDrained()
  }

  /** Resolves when everything is sent, or can't be sent any more. */
  drained(): Promise<void> {
    return new Promise((resolve) => {
      this.#onDrained = resolve
      this.#tellDrained()
    })
  }

  #frame(type: string, payload: Payload, runId: string): Frame {
    const seq = this.#seq
    this.#seq += 1
    let payloadText = serialize(payload)
    const bytes = Buffer.byteLength(payloadText)
    if (bytes > MAX_PAYLOAD_BYTES) {
      this.#ports.warn(`oversize:${type}`, `a ${type} of ${bytes} bytes was cut to fit into ${MAX_PAYLOAD_BYTES}.`)
      payloadText = serialize(shrinkPayload(type, payload, bytes, MAX_PAYLOAD_BYTES))
    }
    const head = JSON.stringify({ gm: PROTOCOL_VERSION, seq, ts: Date.now(), runId, type })
    const text = `${head.slice(0, -1)},"payload":${payloadText}}`
    return { runId, seq, text, bytes: Buffer.byteLength(text) }
  }

  #pump(): void {
    const connection = this.#connection
    while (connection !== undefined && this.#ports.socketBytes() < MAX_SOCKET_BYTES) {
      const frame = this.#buffer.take()
      if (frame === undefined) break
      connection.unsent += 1
      if (!this.#ports.send(frame.text, connection.sent)) break
    }
    this.#tellDrained()
  }

  #tellDrained(): void {
    const isBusy = this.#connection !== undefined && (this.#buffer.hasNext || this.#connection.unsent > 0)
    if (isBusy || this.#onDrained === undefined) return
    this.#onDrained()
    this.#onDrained = undefined
  }
}
