/** Counts the bytes of bodies on their way to the store, so that a flood is refused instead of piling up. */
export class ByteBudget {
  readonly #maxBytes: number
  #used = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** False when there is no room; one body always fits an empty budget. */
  take(bytes: number): boolean {
    if (this.#used > 0 && this.#used + bytes > this.#maxBytes) return false
    this.#used += bytes
    return true
  }

  give(bytes: number): void {
    this.#used -= bytes
  }

  get used(): number {
    return this.#used
  }
}
