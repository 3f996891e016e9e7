/**
 * Lets held calls go that nobody can see: an app may say how long its calls may wait while no viewer is connected. The time runs from
 * the hold, or from when the last viewer left, whichever came later.
 */
export class UnwatchedHolds {
  readonly #release: (runId: string, pauseId: string) => Promise<boolean>
  readonly #holds = new Map<
    string,
    { readonly runId: string; readonly pauseId: string; readonly limitMs: number; timer: NodeJS.Timeout | undefined }
  >()
  #watchers = 0

  /** `release` answers whether the call went on; when it did not, the time runs again. */
  constructor(release: (runId: string, pauseId: string) => Promise<boolean>) {
    this.#release = release
  }

  held(runId: string, pauseId: string, limitMs: number): void {
    this.released(runId, pauseId)
    this.#holds.set(`${runId}\0${pauseId}`, { runId, pauseId, limitMs, timer: undefined })
    this.#run()
  }

  released(runId: string, pauseId: string): void {
    const key = `${runId}\0${pauseId}`
    clearTimeout(this.#holds.get(key)?.timer)
    this.#holds.delete(key)
  }

  get isWatched(): boolean {
    return this.#watchers > 0
  }

  /** Somebody watches, until the returned function is called. */
  watch(): () => void {
    this.#watchers += 1
    for (const hold of this.#holds.values()) {
      clearTimeout(hold.timer)
      hold.timer = undefined
    }
    let isWatching = true
    return () => {
      if (!isWatching) return
      isWatching = false
      this.#watchers -= 1
      this.#run()
    }
  }

  dispose(): void {
    for (const { timer } of this.#holds.values()) clearTimeout(timer)
    this.#holds.clear()
  }

  #run(): void {
    if (this.#watchers > 0) return
    for (const hold of this.#holds.values()) {
      hold.timer ??= setTimeout(() => {
        hold.timer = undefined
        void this.#release(hold.runId, hold.pauseId).then((isReleased) => !isReleased && this.#run())
      }, hold.limitMs).unref()
    }
  }
}
