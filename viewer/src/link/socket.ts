import { backoffMs } from './backoff.ts'
import { readToken, socketProtocols } from './token.ts'

export interface SocketListener {
  opened(): void
  text(text: string): void
  /** The link is down; the next attempt comes at `retryAt`, epoch ms. */
  down(attempt: number, retryAt: number): void
  connecting(): void
}

export interface ReconnectingSocket {
  /** False when the link is down: nothing was sent. */
  send(text: string): boolean
  /** Tries again now instead of waiting. */
  retryNow(): void
  stop(): void
}

/** A WebSocket that comes back by itself. */
export function createSocket(url: string, listener: SocketListener): ReconnectingSocket {
  let socket: WebSocket | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let attempt = 0
  let stopped = false

  const connect = () => {
    timer = undefined
    listener.connecting()
    const current = new WebSocket(url, socketProtocols(readToken(window)))
    socket = current
    current.addEventListener('open', () => {
      attempt = 0
      listener.opened()
    })
    current.addEventListener('message', (event: MessageEvent<unknown>) => {
      if (socket === current && typeof event.data === 'string') listener.text(event.data)
    })
    // An error is always followed by a close, which says the same and plans the next attempt.
    current.addEventListener('close', () => {
      if (stopped || socket !== current) return
      socket = undefined
      attempt += 1
      const wait = backoffMs(attempt, Math.random())
      timer = setTimeout(connect, wait)
      listener.down(attempt, Date.now() + wait)
    })
  }
  connect()

  return {
    send(text) {
      if (socket?.readyState !== WebSocket.OPEN) return false
      socket.send(text)
      return true
    },
    retryNow() {
      if (timer === undefined || stopped) return
      clearTimeout(timer)
      connect()
    },
    stop() {
      stopped = true
      clearTimeout(timer)
      socket?.close()
    },
  }
}
