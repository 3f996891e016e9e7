interface Window {
  readonly id: string
  readonly from: bigint
  readonly until: bigint
  /** The latest end of this window and all before it. */
  latest: bigint
}

/** From when to when the uses of a tool may have run: since a model asked, until the result was told. Finds those open at a time. */
export class StoryWindows {
  /** By their start. */
  readonly #closed: Window[] = []
  readonly #open = new Map<string, bigint>()
  readonly #known = new Map<string, { readonly from: bigint; readonly until: bigint | undefined }>()

  /** `until` is undefined while no result was told. */
  set(id: string, from: bigint, until: bigint | undefined): void {
    const known = this.#known.get(id)
    if (known?.from === from && known.until === until) return
    if (known?.until !== undefined) this.#remove(id, known.from)
    this.#known.set(id, { from, until })
    if (until === undefined) {
      this.#open.set(id, from)
      return
    }
    this.#open.delete(id)
    const index = this.#indexOf(from, id)
    this.#closed.splice(index, 0, { id, from, until, latest: until })
    this.#relate(index)
  }

  *at(nanos: bigint): Generator<string> {
    for (const [id, from] of this.#open) if (from <= nanos) yield id
    for (let index = this.#indexOf(nanos + 1n, '') - 1; index >= 0; index -= 1) {
      const window = this.#closed[index]
      // No earlier one lasts that long either.
      if (window === undefined || window.latest < nanos) return
      if (window.until >= nanos) yield window.id
    }
  }

  #remove(id: string, from: bigint): void {
    const index = this.#indexOf(from, id)
    this.#closed.splice(index, 1)
    this.#relate(index)
  }

  #relate(from: number): void {
    for (let index = from; index < this.#closed.length; index += 1) {
      const window = this.#closed[index]
      if (window === undefined) return
      const before = this.#closed[index - 1]?.latest
      window.latest = before !== undefined && before > window.until ? before : window.until
    }
  }

  #indexOf(from: bigint, id: string): number {
    let low = 0
    let high = this.#closed.length
    while (low < high) {
      const middle = (low + high) >> 1
      const window = this.#closed[middle]
      if (window === undefined) break
      if (window.from < from || (window.from === from && window.id < id)) low = middle + 1
      else high = middle
    }
    return low
  }
}
