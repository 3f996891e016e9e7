import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { jsonText, mutateBytes, mutateJson } from './mutate.ts'
import type { Random } from './random.ts'
import type { Seeds } from './seeds.ts'

const HANG_MS = 30_000
const TRACE = '0123456789abcdef0123456789abcdef'
const MESSAGES: readonly unknown[] = [
  { type: 'subscribe', runId: '*' },
  { type: 'subscribe', runId: TRACE, afterSeq: 3, payloads: 'none' },
  { type: 'unsubscribe', runId: TRACE },
]

/** One socket of the collector that is sent mutated frames; a socket that the collector closes is opened again. */
export class FrameTarget {
  readonly #url: string
  readonly #random: Random
  readonly #seeds: Seeds
  readonly #isViewer: boolean
  #socket: WebSocket | undefined

  constructor(url: string, path: '/ingest' | '/ws/ui', random: Random, seeds: Seeds) {
    this.#url = `${url.replace('http', 'ws')}${path}`
    this.#isViewer = path === '/ws/ui'
    this.#random = random
    this.#seeds = seeds
  }

  /** Sends some frames, then waits until the collector has read them. A problem when it does not. */
  async send(count: number): Promise<string | undefined> {
    let socket: WebSocket
    try {
      socket = await this.#open()
    } catch (error) {
      return `no socket at ${this.#url}: ${String(error)}`
    }
    for (let left = count; left > 0; left--) this.#sendOne(socket)
    socket.ping()
    const over = new AbortController()
    const { signal } = over
    const answered = await Promise.race([
      once(socket, 'pong', { signal }).then(() => true),
      once(socket, 'close', { signal }).then(() => true),
      pause(HANG_MS, false, { signal }),
    ])
    over.abort()
    return answered ? undefined : `no pong at ${this.#url} in ${HANG_MS / 1000} s`
  }

  close(): void {
    this.#socket?.terminate()
  }

  async #open(): Promise<WebSocket> {
    if (this.#socket?.readyState === WebSocket.OPEN) return this.#socket
    const socket = new WebSocket(this.#url, { skipUTF8Validation: true })
    await once(socket, 'open')
    // The collector may end a socket in the middle of a frame; that is an answer too.
    socket.on('error', () => socket.terminate())
    this.#socket = socket
    return socket
  }

  #sendOne(socket: WebSocket): void {
    const random = this.#random
    const envelope = random.pick(this.#seeds.envelopes)
    const plain = this.#isViewer && random.chance(0.5) ? random.pick(MESSAGES) : this.#isViewer ? { type: 'control', envelope } : envelope
    const text = jsonText(random, random.chance(0.9) ? mutateJson(random, plain) : plain)
    if (random.chance(0.1)) socket.send(mutateBytes(random, Buffer.from(text), Buffer.from(text)), { binary: random.chance(0.05) })
    else socket.send(text)
  }
}
