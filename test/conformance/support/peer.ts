import { once } from 'node:events'
import { WebSocket } from 'ws'

const LIMIT_MS = 10_000

export interface Frame {
  readonly [key: string]: unknown
}

export interface Closing {
  readonly code: number
  readonly reason: string
}

/** One end of a raw socket: what arrived, in order, and a way to wait for a fact about it. Knows JSON and nothing of the protocol. */
export class RawPeer {
  readonly frames: Frame[] = []
  closing: Closing | undefined
  readonly socket: WebSocket
  readonly #watchers = new Set<() => void>()

  constructor(socket: WebSocket) {
    this.socket = socket
    socket.on('message', (data, isBinary) => {
      this.frames.push(isBinary ? { binary: true } : (JSON.parse(String(data)) as Frame))
      this.#changed()
    })
    socket.on('close', (code, reason) => {
      this.closing = { code, reason: String(reason) }
      this.#changed()
    })
    socket.on('error', () => this.#changed())
  }

  send(value: unknown): void {
    this.sendText(JSON.stringify(value))
  }

  sendText(text: string): void {
    this.socket.send(text)
  }

  /** Resolves with the answer as soon as it is not undefined. */
  until<Answer>(ask: () => Answer | undefined, what: string): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const check = () => {
        const answer = ask()
        if (answer === undefined) return
        this.#watchers.delete(check)
        clearTimeout(timer)
        resolve(answer)
      }
      const timer = setTimeout(() => {
        this.#watchers.delete(check)
        const seen = this.frames.map((frame) => String(frame['type'])).join(', ')
        reject(new Error(`Waited for ${what} in vain. Received: ${seen || 'nothing'}. Closed: ${JSON.stringify(this.closing ?? 'no')}.`))
      }, LIMIT_MS)
      this.#watchers.add(check)
      check()
    })
  }

  /** The `count`th frame that fits. */
  async frame(fits: (frame: Frame) => boolean, what: string, count = 1): Promise<Frame> {
    return await this.until(() => this.frames.filter(fits)[count - 1], what)
  }

  /** The connection was closed by the other side. */
  async closed(): Promise<Closing> {
    return await this.until(() => this.closing, 'the connection to be closed')
  }

  /** Cuts the connection as a crash would. */
  async cut(): Promise<void> {
    if (this.closing !== undefined) return
    this.socket.terminate()
    await this.closed()
  }

  #changed(): void {
    for (const watcher of [...this.#watchers]) watcher()
  }
}

/** Dials, and listens from the first byte on; rejects with the HTTP status when the upgrade is refused. */
export async function dial<Peer extends RawPeer>(
  Peer: new (socket: WebSocket) => Peer,
  url: string,
  headers: Record<string, string> = {},
): Promise<Peer> {
  const socket = new WebSocket(url, { headers, perMessageDeflate: false })
  socket.once('unexpected-response', (_request, response) => {
    socket.emit('error', new Error(`refused with ${response.statusCode}`))
    response.destroy()
  })
  const peer = new Peer(socket)
  await once(socket, 'open')
  return peer
}
