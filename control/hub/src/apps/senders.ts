const REMEMBERED_RUNS = 10_000

/** Who numbers which wire-native run: two senders in one run would overwrite each other's numbers (design 4). */
export class Senders {
  readonly #runs = new Map<string, { sender: string; connection: string }>()
  readonly #isOpen: (connection: string) => boolean

  constructor(isOpen: (connection: string) => boolean) {
    this.#isOpen = isOpen
  }

  /** False when another sender that is still connected speaks in this run. */
  claim(runId: string, sender: string, connection: string): boolean {
    const known = this.#runs.get(runId)
    if (known !== undefined && known.sender !== sender && this.#isOpen(known.connection)) return false
    this.#runs.delete(runId)
    this.#runs.set(runId, { sender, connection })
    const oldest = this.#runs.keys().next().value
    if (this.#runs.size > REMEMBERED_RUNS && oldest !== undefined) this.#runs.delete(oldest)
    return true
  }
}
