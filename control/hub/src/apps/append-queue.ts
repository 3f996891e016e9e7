import type { ChannelEvent } from '../ports.ts'

/** One app's events on their way into the store: in order, one append at a time, so that a slow store collects batches. */
export class AppendQueue {
  readonly #append: (events: readonly ChannelEvent[]) => Promise<void>
  readonly #failed: (error: unknown, count: number) => void
  #waiting: ChannelEvent[] = []
  #waitingBytes = 0
  /** Settles with the batch that is being gathered. */
  #gathered = Promise.withResolvers<void>()
  /** Settles with the batch that was handed over last. */
  #handedOver = Promise.resolve()
  #isWorking = false

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
    if (!this.#isWorking) void this.#work()
  }

  /** Resolves when everything pushed so far is stored, or was given up; what is pushed later is not waited for. */
  settled(): Promise<void> {
    return this.#waiting.length > 0 ? this.#gathered.promise : this.#handedOver
  }

  async #work(): Promise<void> {
    this.#isWorking = true
    // Frames of one read arrive in one go, and their events belong in one append.
    await Promise.resolve()
    while (this.#waiting.length > 0) {
      const batch = this.#waiting
      const bytes = this.#waitingBytes
      const { promise, resolve } = this.#gathered
      this.#waiting = []
      this.#gathered = Promise.withResolvers()
      this.#handedOver = promise
      try {
        await this.#append(batch)
      } catch (error) {
        this.#failed(error, batch.length)
      }
      this.#waitingBytes -= bytes
      resolve()
    }
    this.#isWorking = false
  }
}
