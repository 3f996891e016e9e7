import type { Envelope, RunInfo } from '@graphmind-ai/schema'

/** One end of a socket, app or viewer. The collector adapts `ws` to it; tests use a fake. */
export interface Peer {
  /** Sends a text frame; bytes are its UTF-8. */
  send(text: string | Uint8Array): void
  close(code: number, reason: string): void
  /** Bytes handed to the socket and not yet sent. */
  readonly bufferedBytes: number
}

/** An event of an app's channel on its way into the store. */
export interface ChannelEvent {
  readonly runId: string
  /** Unique in the run; a second event of the same origin is dropped (design 4). */
  readonly origin: string
  /** As sent, for runs that the client sequences; absent for runs that the store sequences. */
  readonly seq: number | undefined
  readonly ts: number
  readonly type: string
  readonly payload: unknown
  /** Fields of the envelope that the contract does not name. */
  readonly unknownFields?: { readonly [name: string]: unknown } | undefined
}

/** An event as stored, its seq final, and the seq of the run's event before it. */
export interface StoredEvent {
  readonly seq: number
  readonly after: number | null
  readonly envelope: Envelope
  /** The envelope as JSON text: what is stored as text goes to viewers without being parsed in between. */
  readonly json: string
}

/** Whether a viewer wants the values that went in and out of calls. */
export type Payloads = 'all' | 'none'

/** Stored events of a run that follow each other without a hole, as they are kept: the members of a `Sheet` (see the schema) as JSON, without its braces. */
export interface StoredSheet {
  readonly after: number | null
  readonly firstSeq: number
  readonly lastSeq: number
  readonly json: Uint8Array
}

/** Some of a run's history. */
export type HistoryPage = { readonly events: readonly StoredEvent[] } | { readonly sheet: StoredSheet }

export interface HistoryWish {
  /** Only what comes after this. */
  readonly afterSeq: number | undefined
  readonly payloads: Payloads
  /** Sheets will do where the store has them. */
  readonly sheets: boolean
}

/** What the hub needs of the store. Every promise settles after the commit. */
export interface RunStore {
  append(events: readonly ChannelEvent[]): Promise<void>
  run(runId: string): Promise<RunInfo | undefined>
  runs(limit: number): Promise<readonly RunInfo[]>
  /**
   * Stored events of a run in seq order, in pages; `count` is how many there are beyond `afterSeq`. With `payloads: 'none'` they are
   * without what went through the calls, as `withoutPayloads` has it.
   */
  history(
    runId: string,
    wish: HistoryWish,
  ): Promise<{ readonly count: number; readonly pages: AsyncIterable<HistoryPage>; readonly lastSeq: number | null }>
}

/** Where stored events and run changes are announced. `subscribe` returns the way to stop. */
export interface Bus {
  /** Calls back, in stored order, with what is appended to the run after the call. Resolves once no later append can be missed. */
  subscribe(runId: string, listener: (events: readonly StoredEvent[]) => void): Promise<() => void>
  onRunUpdate(listener: (run: RunInfo) => void): () => void
  /** The run was deleted and is in the list no longer; an update afterwards brings it back. */
  onRunRemoved(listener: (runId: string) => void): () => void
}

/** What the hub tells the collector about sessions, so that run status follows them (design 5, "Status"). */
export interface SessionListener {
  /** The session now speaks for the run: it is `live`. `hide`: its redaction switches that are on, which hold for all spans of the run. */
  attached(runId: string, hide: readonly string[]): void
  /** The session that spoke for these runs is gone; the grace period begins. */
  detached(runIds: readonly string[]): void
  /** How many calls of the run are held now. */
  held(runId: string, count: number): void
}
