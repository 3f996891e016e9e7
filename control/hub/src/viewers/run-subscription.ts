import type { UiServerMessage } from '@graphmind-ai/schema'
import type { HubLimits } from '../limits.ts'
import type { Bus, Peer, RunStore, StoredEvent, StoredSheet } from '../ports.ts'
import { drained } from './drained.ts'
import { type EventSender, singly, together } from './event-sender.ts'
import type { Subscribe } from './parse.ts'
import { withoutPayloads } from './without-payloads.ts'

/** So many replayed numbers are kept, at most twice as many, to recognise their live announcement: it may come later than the read that had them. */
const REMEMBERED_SEQS = 10_000

/** So many events are read and sent in some 5 ms, or 2 as sheets. */
const EVENTS_A_TURN = 500
const END_OF_SHEET = Buffer.from('}')

export interface SubscriptionPorts {
  readonly store: RunStore
  readonly bus: Bus
  readonly peer: Peer
  readonly limits: HubLimits
  send(message: UiServerMessage): void
  /** The same for a message that is JSON already. */
  sendText(text: string | Uint8Array): void
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
  readonly #sheets: boolean
  readonly #sender: EventSender
  #state: 'replaying' | 'live' | 'behind' | 'stopped' = 'replaying'
  /** Live events that came during a replay, by seq. */
  #waiting = new Map<number, StoredEvent>()
  #hasMissed = false
  /** In two parts, of which the older is dropped whole: a Set that loses its oldest one by one gets slower with each. */
  #replayed = new Set<number>()
  #replayedBefore = new Set<number>()
  #lastSeq: number | undefined
  /** Replayed without a break. */
  #eventsInTurn = 0
  #leaveBus: () => void = () => undefined

  constructor(runId: string, { afterSeq, payloads, batch, sheets }: Omit<Subscribe, 'type' | 'runId'>, ports: SubscriptionPorts) {
    this.#runId = runId
    this.#lastSeq = afterSeq
    this.#payloads = payloads
    this.#sheets = sheets
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
        const { count, pages } = await this.#ports.store.history(runId, {
          afterSeq: this.#lastSeq,
          payloads: this.#payloads,
          sheets: this.#sheets,
        })
        if (this.#isStopped()) return
        if (!isAnnounced) this.#ports.send({ type: 'replay.start', runId, count })
        isAnnounced = true
        for await (const page of pages) {
          if ('sheet' in page) this.#sendSheet(page.sheet)
          else for (const event of page.events) this.#sendReplayed(event)
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

  /**
   * Lets others have their turn, for reading may take none of its own. Once its socket is full, a viewer reads most of what is in it before
   * more comes: looking page by page would set the pace itself.
   */
  async #roomForMore(): Promise<void> {
    const { peer, limits } = this.#ports
    if (this.#eventsInTurn >= EVENTS_A_TURN) {
      this.#eventsInTurn = 0
      await new Promise((resolve) => setImmediate(resolve))
    }
    if (peer.bufferedBytes > limits.viewerBehindBytes) await drained(peer, limits.viewerDrainedBytes, () => !this.#isStopped())
  }

  #sendReplayed(event: StoredEvent): void {
    this.#remember(event.seq)
    this.#send(event)
  }

  /** A sheet has no holes, so its ends say what is in it. */
  #sendSheet({ after, firstSeq, lastSeq, json }: StoredSheet): void {
    for (let seq = firstSeq; seq <= lastSeq; seq++) this.#remember(seq)
    this.#lastSeq = lastSeq
    const head = Buffer.from(`{"type":"sheet","runId":${JSON.stringify(this.#runId)},"after":${after},`)
    this.#ports.sendText(Buffer.concat([head, json, END_OF_SHEET]))
  }

  #remember(seq: number): void {
    this.#eventsInTurn += 1
    this.#waiting.delete(seq)
    this.#replayed.add(seq)
    if (this.#replayed.size < REMEMBERED_SEQS) return
    this.#replayedBefore = this.#replayed
    this.#replayed = new Set()
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
