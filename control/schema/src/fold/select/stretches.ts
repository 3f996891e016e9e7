/** Stretches of time that may overlap, each moment of them counted once. Times are epoch ms. */
export class Stretches {
  /** Apart from each other, in order of time. */
  readonly #apart: { from: number; to: number }[] = []
  #total = 0

  /** What ends before it begins (a clock was set back) adds nothing. */
  add(from: number, to: number): void {
    if (to <= from) return
    // From the end: they mostly come in order.
    let at = this.#apart.length
    let stretch = { from, to }
    for (let before = this.#apart[at - 1]; before !== undefined && before.to >= from; before = this.#apart[at - 1]) {
      at -= 1
      if (before.from > to) continue
      stretch = { from: Math.min(stretch.from, before.from), to: Math.max(stretch.to, before.to) }
      this.#apart.splice(at, 1)
      this.#total -= before.to - before.from
    }
    this.#apart.splice(at, 0, stretch)
    this.#total += stretch.to - stretch.from
  }

  /** Ms of all stretches between two times. */
  within(from: number, to: number): number {
    let ms = this.#total
    for (let at = 0; at < this.#apart.length; at++) {
      const stretch = this.#apart[at]
      if (stretch === undefined || stretch.from >= from) break
      ms -= Math.min(stretch.to, from) - stretch.from
    }
    for (let at = this.#apart.length - 1; at >= 0; at--) {
      const stretch = this.#apart[at]
      if (stretch === undefined || stretch.to <= to) break
      ms -= stretch.to - Math.max(stretch.from, to)
    }
    return Math.max(0, ms)
  }
}
