import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

// The first three bytes of HTTP/2 spoken without asking; no HTTP/1 method begins with them.
const HTTP2_PREFACE = Buffer.from('PRI')
const FIRST_BYTES_MS = 20_000

/**
 * Lets a server on one port speak HTTP/1 itself and hand connections that open with HTTP/2 to `http2`: exporters speak gRPC by default,
 * and a user who points one at our port should simply see the run. Returns how to drop the connections that have said nothing yet.
 */
export function switchProtocols(server: Server, http2: (connection: Duplex) => void): () => void {
  const silent = new Set<Socket>()
  const [http1] = server.listeners('connection') as ((socket: Socket) => void)[]
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    silent.add(socket)
    const drop = () => socket.destroy()
    socket.setTimeout(FIRST_BYTES_MS, drop)
    socket.once('error', drop)
    // HTTP keeps half-open sockets, which would wait here for bytes that can't come any more.
    socket.once('end', drop)
    socket.once('close', () => silent.delete(socket))
    socket.once('data', (bytes: Buffer) => {
      silent.delete(socket)
      socket.setTimeout(0, drop)
      socket.removeListener('timeout', drop)
      socket.removeListener('error', drop)
      socket.removeListener('end', drop)
      socket.pause()
      socket.unshift(bytes)
      if (opensHttp2(bytes)) {
        // An HTTP/2 session reads the waiting bytes by itself; resumed, they would flow past it.
        http2(socket)
        return
      }
      http1?.call(server, socket)
      socket.resume()
    })
  })
  return () => {
    for (const socket of silent) socket.destroy()
  }
}

function opensHttp2(bytes: Buffer): boolean {
  return bytes.subarray(0, HTTP2_PREFACE.length).equals(HTTP2_PREFACE)
}
