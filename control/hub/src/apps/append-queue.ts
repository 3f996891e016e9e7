import type { ChannelEvent } from '../ports.ts'

/** One app's events on their way into the store: in order, one append at a time, so that a slow store collects batches. */
export class AppendQueue {
  readonly #append: (events: readonly ChannelEvent[]) => Promise<void>
  readonly #failed: (error: unknown, count: number) => void
  #waiting: ChannelEvent[] = []
  #waitingBytes = 0
  #working: Promise<void> | undefined

  constructor(append: (events: readonly ChannelEvent[]) => Promise<void>, failed: (error: unknown, count: number) => void) {
    this.#append = append
    this.#failed = failed
  }

  get waitingBytes(): number {
    return this.#waitingBytes
  }

  push(event: ChannelEvent, bytes: number): void {
    this.#waiting.push(event)
    this.#waitingBytes += bytes
    this.#working ??= this.#work()
  }

  /** Resolves when everything pushed so far is stored, or was given up. */
  async settled(): Promise<void> {
    await this.#working
  }

  async #work(): Promise<void> {
    // Frames of one read arrive in one go, and their events belong in one append.
    await Promise.resolve()
    while (this.#waiting.length > 0) {
      const batch = this.#waiting
      const bytes = this.#waitingBytes
      this.#waiting = []
      try {
        await this.#append(batch)
      } catch (error) {
        this.#failed(error, batch.length)
      }
      this.#waitingBytes -= bytes
    }
    this.#working = undefined
  }
}
