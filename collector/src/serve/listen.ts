import type { RequestListener, Server } from 'node:http'
import { failed, messageOf, ok, type Result } from '../problem.ts'

// Imported as a module, node:http would load Node's whole fetch: 20 ms of every start.
const { createServer } = process.getBuiltinModule('node:http')

// Node's own default of 300 s would let a slow body hold its buffer for five minutes.
export const REQUEST_TIMEOUT_MS = 60_000
const LAST_ANSWER_MS = 1_000

/** Connections at once on one port: a machine's worth of programs, with room. More are closed at once, and their clients come back. */
const MAX_CONNECTIONS = 1024

export interface ServerLimits {
  /** How long a request may take to arrive. */
  readonly requestTimeoutMs?: number
  readonly maxConnections?: number
}

/** A server that does not listen yet. */
export function httpServer(
  handle: RequestListener,
  { requestTimeoutMs = REQUEST_TIMEOUT_MS, maxConnections = MAX_CONNECTIONS }: ServerLimits,
): Server {
  const headersTimeout = Math.min(20_000, requestTimeoutMs)
  // Looked at often enough that what is cut off is not much older than the limit.
  const connectionsCheckingInterval = Math.min(5000, requestTimeoutMs)
  const server = createServer({ requestTimeout: requestTimeoutMs, headersTimeout, connectionsCheckingInterval }, handle)
  server.maxConnections = maxConnections
  return server
}

/** Binds by address, never by name. Returns the port that is really bound. */
export function listen(server: Server, host: string, port: number): Promise<Result<number>> {
  return new Promise((resolve) => {
    const refused = (error: NodeJS.ErrnoException) => resolve(failed(error.code ?? 'listen', words(error, host, port)))
    server.once('error', refused)
    server.listen({ host, port, exclusive: true }, () => {
      server.off('error', refused)
      const address = server.address()
      resolve(ok(typeof address === 'object' && address !== null ? address.port : port))
    })
  })
}

function words(error: NodeJS.ErrnoException, host: string, port: number): string {
  if (error.code === 'EADDRINUSE')
    return `Port ${port} is in use, perhaps by another graphmind. Stop it, or choose another port with --port.`
  if (error.code === 'EACCES') return `Port ${port} needs more rights than this user has. Choose one above 1023 with --port.`
  return `Can't listen on ${host}:${port}: ${messageOf(error)}.`
}

/** Takes no more connections, and resolves when the last is gone: a request in work gets a second to be answered. */
export function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const cutOff = setTimeout(() => server.closeAllConnections(), LAST_ANSWER_MS)
    server.close(() => {
      clearTimeout(cutOff)
      resolve()
    })
  })
}
