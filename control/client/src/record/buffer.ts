/** One event, serialised once. */
export interface Frame {
  readonly runId: string
  readonly seq: number
  readonly text: string
  readonly bytes: number
}

/** Events of one run that were pushed out before any debugger got them. */
export interface Gap {
  readonly runId: string
  readonly droppedCount: number
  readonly fromSeq: number
  readonly toSeq: number
}

export interface BufferLimits {
  readonly frames: number
  readonly bytes: number
}

const MAX_GAPS = 256

/**
 * The last events of the session, oldest first, within two limits. A reader takes them in order with `take`; `rewind` starts it
 * over for a debugger that attaches anew. What is pushed out before it was ever taken is counted as lost, by run.
 */
export class FrameBuffer {
  readonly #limits: BufferLimits
  #frames: (Frame | undefined)[] = []
  #head = 0
  #bytes = 0
  /** Numbers of frames since the session began: the oldest kept, the next to be taken, the first never taken. */
  #oldest = 0
  #next = 0
  #untaken = 0
  readonly #gaps = new Map<string, Gap>()
  dropped = 0
  lost = 0

  constructor(limits: BufferLimits) {
    this.#limits = limits
  }

  get size(): number {
    return this.#frames.length - this.#head
  }

  get pendingGaps(): number {
    return this.#gaps.size
  }

  get hasNext(): boolean {
    return this.#next < this.#oldest + this.size
  }

  /** Adds a frame beyond the limits: for the few that announce a loss and must not cause one. */
  append(frame: Frame): void {
    this.#frames.push(frame)
    this.#bytes += frame.bytes
  }

  /** Adds a frame, pushing out the oldest ones that no longer fit, and answers how many of those were lost. The newest stays, whatever its size. */
  push(frame: Frame): number {
    this.append(frame)
    const lostBefore = this.lost
    while (this.size > 1 && (this.size > this.#limits.frames || this.#bytes > this.#limits.bytes)) this.#dropOldest()
    return this.lost - lostBefore
  }

  take(): Frame | undefined {
    const frame = this.#frames[this.#head + this.#next - this.#oldest]
    if (frame === undefined) return undefined
    this.#next += 1
    this.#untaken = Math.max(this.#untaken, this.#next)
    return frame
  }

  rewind(): void {
    this.#next = this.#oldest
  }

  takeGaps(): Gap[] {
    const gaps = [...this.#gaps.values()]
    this.#gaps.clear()
    return gaps
  }

  #dropOldest(): void {
    const frame = this.#frames[this.#head]
    if (frame === undefined) return
    // Left in place, it would stay in memory until the front is cut off.
    this.#frames[this.#head] = undefined
    this.#head += 1
    // Shifting an array of thousands on every event would be quadratic, so the front is cut off in pieces.
    if (this.#head > 1024 && this.#head * 2 > this.#frames.length) {
      this.#frames = this.#frames.slice(this.#head)
      this.#head = 0
    }
    this.#bytes -= frame.bytes
    this.dropped += 1
    if (this.#oldest >= this.#untaken) this.#lose(frame)
    this.#oldest += 1
    this.#next = Math.max(this.#next, this.#oldest)
    this.#untaken = Math.max(this.#untaken, this.#oldest)
  }

  #lose(frame: Frame): void {
    this.lost += 1
    const { runId, seq } = frame
    const gap = this.#gaps.get(runId)
    this.#gaps.set(runId, { runId, droppedCount: (gap?.droppedCount ?? 0) + 1, fromSeq: gap?.fromSeq ?? seq, toSeq: seq })
    const oldest = this.#gaps.keys().next().value
    if (this.#gaps.size > MAX_GAPS && oldest !== undefined) this.#gaps.delete(oldest)
  }
}
