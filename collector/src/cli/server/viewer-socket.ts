import { type BreakpointMatcher, createEnvelope, type UiServerMessage, WILDCARD_RUN_ID } from '@graphmind-ai/schema'
import { WebSocket } from 'ws'
import { failed, ok, type Result } from '../../problem.ts'
import type { ServerApi } from './server-api.ts'

const TIMEOUT_MS = 10_000

/** Sets or clears a breakpoint as a viewer does; gives all that are armed afterwards. */
export function changeBreakpoint(
  server: ServerApi,
  type: 'breakpoint.set' | 'breakpoint.clear',
  matcher: BreakpointMatcher,
): Promise<Result<{ readonly breakpoints: readonly BreakpointMatcher[] }>> {
  return new Promise((resolve) => {
    const socket = new WebSocket(`${server.url.replace('http', 'ws')}/ws/ui`, { headers: server.headers, handshakeTimeout: TIMEOUT_MS })
    const settle = (result: Result<{ readonly breakpoints: readonly BreakpointMatcher[] }>) => {
      clearTimeout(timer)
      socket.close()
      resolve(result)
    }
    const timer = setTimeout(() => settle(failed('no-server', `The server at ${server.url} did not answer.`)), TIMEOUT_MS)
    socket.on('error', (error) => settle(failed('no-server', `The server at ${server.url} could not be reached: ${error.message}.`)))
    socket.on('message', (data) => {
      const message = JSON.parse(String(data)) as UiServerMessage
      if (message.type === 'welcome') {
        const at = { runId: WILDCARD_RUN_ID, seq: 0, ts: Date.now() }
        socket.send(JSON.stringify({ type: 'control', envelope: createEnvelope(type, { matcher }, at) }))
      } else if (message.type === 'state') settle(ok({ breakpoints: message.breakpoints }))
      else if (message.type === 'error') settle(failed('breakpoint', message.message))
    })
  })
}
