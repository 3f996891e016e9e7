import type { UiServerMessage } from '@graphmind-ai/schema'
import type { HubLimits } from '../limits.ts'
import type { Bus, Peer, RunStore, StoredEvent } from '../ports.ts'
import { drained } from './drained.ts'
import { type EventSender, singly, together } from './event-sender.ts'
import type { Subscribe } from './parse.ts'
import { withoutPayloads } from './without-payloads.ts'

/** So many replayed numbers are kept, at most twice as many, to recognise their live announcement: it may come later than the read that had them. */
const REMEMBERED_SEQS = 10_000

export interface SubscriptionPorts {
  readonly store: RunStore
  readonly bus: Bus
  readonly peer: Peer
  readonly limits: HubLimits
  send(message: UiServerMessage): void
  /** The same for a message that is JSON already. */
  sendText(text: string): void
  /** The subscription can't go on; it has stopped. */
  failed(runId: string, error: unknown): void
}

/**
 * One viewer's view of one run: everything stored, then everything new, with no gap and nothing twice. A viewer that does not keep
 * up is not fed live; once its socket has drained it gets what it missed from the store.
 */
export class RunSubscription {
  readonly #runId: string
  readonly #ports: SubscriptionPorts
  readonly #payloads: Subscribe['payloads']
  readonly #sender: EventSender
  #state: 'replaying' | 'live' | 'behind' | 'stopped' = 'replaying'
  /** Live events that came during a replay, by seq. */
  #waiting = new Map<number, StoredEvent>()
  #hasMissed = false
  /** In two parts, of which the older is dropped whole: a Set that loses its oldest one by one gets slower with each. */
  #replayed = new Set<number>()
  #replayedBefore = new Set<number>()
  #lastSeq: number | undefined
  #leaveBus: () => void = () => undefined

  constructor(runId: string, { afterSeq, payloads, batch }: Pick<Subscribe, 'afterSeq' | 'payloads' | 'batch'>, ports: SubscriptionPorts) {
    this.#runId = runId
    this.#lastSeq = afterSeq
    this.#payloads = payloads
    this.#ports = ports
    this.#sender = (batch ? together : singly)(runId, (text) => ports.sendText(text))
  }

  async start(): Promise<void> {
    try {
      const leave = await this.#ports.bus.subscribe(this.#runId, (events) => this.#announced(events))
      if (this.#isStopped()) leave()
      else this.#leaveBus = leave
    } catch (error) {
      this.stop()
      this.#ports.failed(this.#runId, error)
    }
    if (!this.#isStopped()) await this.#replay()
  }

  stop(): void {
    this.#state = 'stopped'
    this.#waiting.clear()
    this.#leaveBus()
  }

  #announced(events: readonly StoredEvent[]): void {
    for (const event of events) {
      const { seq } = event
      if (this.#replayed.has(seq) || this.#replayedBefore.has(seq)) continue
      if (this.#state === 'live') this.#sendLive(event)
      else if (this.#state === 'replaying') this.#keep(seq, event)
    }
    this.#sender.flush()
  }

  #keep(seq: number, event: StoredEvent): void {
    this.#waiting.set(seq, event)
    if (this.#waiting.size <= this.#ports.limits.viewerWaitingEvents) return
    this.#waiting.clear()
    this.#hasMissed = true
  }

  #sendLive(event: StoredEvent): void {
    const { peer, limits } = this.#ports
    if (peer.bufferedBytes <= limits.viewerBehindBytes) {
      this.#send(this.#payloads === 'none' ? bare(event) : event)
      return
    }
    this.#state = 'behind'
    void this.#catchUp()
  }

  async #catchUp(): Promise<void> {
    await drained(this.#ports.peer, this.#ports.limits.viewerDrainedBytes, () => !this.#isStopped())
    if (this.#isStopped()) return
    this.#state = 'replaying'
    await this.#replay()
  }

  async #replay(): Promise<void> {
    const runId = this.#runId
    let isAnnounced = false
    try {
      do {
        this.#hasMissed = false
        const { count, pages } = await this.#ports.store.history(runId, this.#lastSeq, this.#payloads)
        if (this.#isStopped()) return
        if (!isAnnounced) this.#ports.send({ type: 'replay.start', runId, count })
        isAnnounced = true
        for await (const page of pages) {
          for (const event of page) this.#sendReplayed(event)
          this.#sender.flush()
          await this.#roomForMore()
          if (this.#isStopped()) return
        }
      } while (this.#hasMissed)
    } catch (error) {
      if (this.#isStopped()) return
      this.stop()
      this.#ports.failed(runId, error)
      return
    }
    this.#ports.send({ type: 'replay.end', runId })
    this.#state = 'live'
    const waiting = [...this.#waiting.values()]
    this.#waiting = new Map()
    this.#announced(waiting)
  }

  /** Once its socket is full, a viewer reads most of what is in it before more comes: looking page by page would set the pace itself. */
  async #roomForMore(): Promise<void> {
    const { peer, limits } = this.#ports
    if (peer.bufferedBytes > limits.viewerBehindBytes) await drained(peer, limits.viewerDrainedBytes, () => !this.#isStopped())
  }

  #sendReplayed(event: StoredEvent): void {
    const { seq } = event
    this.#waiting.delete(seq)
    this.#replayed.add(seq)
    if (this.#replayed.size >= REMEMBERED_SEQS) {
      this.#replayedBefore = this.#replayed
      this.#replayed = new Set()
    }
    this.#send(event)
  }

  #send(event: Pick<StoredEvent, 'seq' | 'after' | 'json'>): void {
    this.#lastSeq = Math.max(this.#lastSeq ?? event.seq, event.seq)
    this.#sender.send(event)
  }

  // A method, so that the compiler does not take the state for unchanged across an await.
  #isStopped(): boolean {
    return this.#state === 'stopped'
  }
}

/** The history comes without payloads when that is asked for; what is announced comes with them. */
function bare({ seq, after, envelope }: StoredEvent): Pick<StoredEvent, 'seq' | 'after' | 'json'> {
  return { seq, after, json: JSON.stringify(withoutPayloads(envelope)) }
}
