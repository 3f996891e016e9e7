import type { Socket } from 'node:net'
import { WebSocket } from 'ws'

/** Largest frame taken from a debugger: an injected value may be large, an endless one may not. */
const MAX_FRAME_BYTES = 32 * 1024 * 1024
const POLICY_VIOLATION = 1008
const NO_TOKEN = 'it asks for a token. Set GRAPHMIND_TOKEN to the one that graphmind serve printed.'
const WRONG_TOKEN = 'GRAPHMIND_TOKEN is not its token. Set it to the one that graphmind serve printed.'
/** How long a closing handshake may take before the socket is destroyed. */
const CLOSE_MS = 500

export interface SocketEvents {
  open(): void
  text(text: string): void
  /** Once, also for a socket that never opened. `reason` is what the peer or the system said. */
  closed(code: number, reason: string): void
}

/** A dialled WebSocket, and whether it may keep the process alive. */
export interface LinkSocket {
  send(text: string, sent: () => void): void
  close(): void
  destroy(): void
  setRef(ref: boolean): void
  readonly bufferedBytes: number
}

export type Dial = (url: string, events: SocketEvents) => LinkSocket

/** Dials with `ws`. The socket does not keep the process alive until `setRef(true)`. Throws on a URL that is none. */
export const dialWs =
  (token: string | undefined): Dial =>
  (url, events) => {
    let tcp: Socket | undefined
    let ref = false
    let failure = ''
    const applyRef = () => (ref ? tcp?.ref() : tcp?.unref())
    const socket = new WebSocket(url, {
      perMessageDeflate: false,
      maxPayload: MAX_FRAME_BYTES,
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
      finishRequest(request) {
        request.on('socket', (requestSocket) => {
          tcp = requestSocket
          applyRef()
        })
        request.end()
      },
    })
    socket.on('open', () => events.open())
    socket.on('message', (data, isBinary) => {
      if (!isBinary) events.text(data.toString())
    })
    socket.on('error', (error) => {
      failure = error.message
    })
    let refusal: string | undefined
    socket.on('unexpected-response', (_request, { statusCode }) => {
      if (statusCode === 401) refusal = token === undefined ? NO_TOKEN : WRONG_TOKEN
      // With a listener, ending the try is up to it.
      socket.terminate()
    })
    socket.on('close', (code, reason) => {
      if (refusal === undefined) events.closed(code, reason.toString() || failure)
      else events.closed(POLICY_VIOLATION, refusal)
    })
    return {
      send: (text, sent) => socket.send(text, () => sent()),
      close() {
        socket.close(1000)
        setTimeout(() => socket.terminate(), CLOSE_MS).unref()
      },
      destroy: () => socket.terminate(),
      setRef(next) {
        ref = next
        applyRef()
      },
      get bufferedBytes() {
        return socket.bufferedAmount
      },
    }
  }

/** The part of the WebSocket constructor that the `webSocket` option needs; the global one of Node and browsers has it. */
export type WebSocketConstructor = new (url: string, protocols?: string[]) => StandardWebSocket

interface StandardWebSocket {
  readonly bufferedAmount: number
  send(text: string): void
  close(code?: number): void
  addEventListener(type: 'open' | 'error', listener: () => void): void
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void
  addEventListener(type: 'close', listener: (event: { readonly code: number; readonly reason: string }) => void): void
}

/** Dials with a standard WebSocket class. Such a socket can't be unref'd, so whether the process stays alive is up to the class. */
export function dialWith(Constructor: WebSocketConstructor, token: string | undefined): Dial {
  return (url, events) => {
    // Such a socket can't send headers.
    const socket = token === undefined ? new Constructor(url) : new Constructor(url, ['graphmind', `graphmind.token.${token}`])
    let closed = false
    const end = (code: number, reason: string) => {
      if (closed) return
      closed = true
      events.closed(code, reason)
    }
    socket.addEventListener('open', () => events.open())
    socket.addEventListener('message', ({ data }) => {
      if (typeof data === 'string') events.text(data)
    })
    socket.addEventListener('error', () => end(1006, 'the connection failed'))
    socket.addEventListener('close', ({ code, reason }) => end(code, reason))
    return {
      send(text, sent) {
        socket.send(text)
        queueMicrotask(sent)
      },
      close: () => socket.close(1000),
      destroy() {
        socket.close()
        end(1006, 'given up')
      },
      setRef: () => undefined,
      get bufferedBytes() {
        return socket.bufferedAmount
      },
    }
  }
}
