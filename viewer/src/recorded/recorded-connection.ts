import { PROTOCOL_VERSION, type UiClientMessage, type UiServerMessage, WILDCARD_RUN_ID } from '@graphmind-ai/schema'
import type { ReconnectingSocket, SocketListener } from '../link/socket.ts'
import type { RecordedRun } from './recorded-run.ts'

const EVENTS_A_FRAME = 500

/** Answers like a collector that has this one run, so that the viewer of a recorded page is the viewer. Commands go nowhere. */
export function recordedConnection({ info, version, envelopes }: RecordedRun): (listener: SocketListener) => ReconnectingSocket {
  return (listener) => {
    // As a socket does: never before the caller has what it was given.
    const say = (message: UiServerMessage) => queueMicrotask(() => listener.text(JSON.stringify(message)))
    const replay = () => {
      const { id: runId } = info
      say({ type: 'replay.start', runId, count: envelopes.length })
      for (let at = 0; at < envelopes.length; at += EVENTS_A_FRAME) {
        const events = envelopes
          .slice(at, at + EVENTS_A_FRAME)
          .map((envelope, offset) => ({ envelope, after: envelopes[at + offset - 1]?.seq ?? null }))
        say({ type: 'events', runId, events })
      }
      say({ type: 'replay.end', runId })
    }
    queueMicrotask(() => {
      listener.connecting()
      listener.opened()
      say({ type: 'welcome', versions: { protocol: PROTOCOL_VERSION, server: version }, breakpoints: [], mode: 'run' })
    })
    return {
      send(text) {
        const message = JSON.parse(text) as UiClientMessage
        if (message.type === 'control') return false
        if (message.type === 'subscribe' && message.runId === WILDCARD_RUN_ID) say({ type: 'runs', runs: [info] })
        if (message.type === 'subscribe' && message.runId === info.id) replay()
        return true
      },
      retryNow: () => undefined,
      stop: () => undefined,
    }
  }
}
