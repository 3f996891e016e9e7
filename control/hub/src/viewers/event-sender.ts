import type { StoredEvent } from '../ports.ts'

type SentEvent = Pick<StoredEvent, 'after' | 'json'>

/** A frame of several events is sent once it holds this many UTF-16 units: large enough that frames cost nothing, small enough to draw in between. */
const FRAME_LENGTH = 256 * 1024

/** Hands the events of one run to a viewer's socket. */
export interface EventSender {
  send(event: SentEvent): void
  /** Sends what was kept back to be sent together. */
  flush(): void
}

/** One frame for each event, as the base contract has it. */
export function singly(runId: string, sendText: (text: string) => void): EventSender {
  return {
    send: ({ after, json }) => sendText(`{"type":"event","runId":${JSON.stringify(runId)},"after":${after},"envelope":${json}}`),
    flush: () => undefined,
  }
}

/** Frames of many events, for viewers that asked for them: a frame for each costs more than what is in it. */
export function together(runId: string, sendText: (text: string) => void): EventSender {
  let kept: string[] = []
  let length = 0
  const flush = () => {
    if (kept.length === 0) return
    const events = kept.join(',')
    kept = []
    length = 0
    sendText(`{"type":"events","runId":${JSON.stringify(runId)},"events":[${events}]}`)
  }
  return {
    send({ after, json }) {
      const text = `{"after":${after},"envelope":${json}}`
      kept.push(text)
      length += text.length
      if (length >= FRAME_LENGTH) flush()
    },
    flush,
  }
}
