/** A smaller difference is the clock being set right little by little. */
const MIN_STEP_MS = 2000

/**
 * How much of the last minutes on the system clock never went by: it was set, or the machine slept. Compared by it, every run would look
 * as if nothing had been heard of it for all that time.
 */
export class ClockSteps {
  readonly #nowMs: () => number
  readonly #steadyMs: () => number
  #offsetMs: number
  #steps: { readonly steadyMs: number; readonly stepMs: number }[] = []

  /** `steadyMs` counts from anywhere and is never set. */
  constructor(nowMs: () => number, steadyMs: () => number) {
    this.#nowMs = nowMs
    this.#steadyMs = steadyMs
    this.#offsetMs = nowMs() - steadyMs()
  }

  /**
   * The sum of the steps forward in the last `withinMs`. Has to be asked more often than that. A step back is no such matter: what was heard
   * before it lies ahead of the clock for a while, and is given up late at worst.
   */
  within(withinMs: number): number {
    const steadyMs = this.#steadyMs()
    const stepMs = this.#nowMs() - steadyMs - this.#offsetMs
    this.#offsetMs += stepMs
    if (stepMs >= MIN_STEP_MS) this.#steps.push({ steadyMs, stepMs })
    return this.#steps.filter((step) => steadyMs - step.steadyMs < withinMs).reduce((sum, step) => sum + step.stepMs, 0)
  }

  /** Steps that long ago count no more. */
  forget(olderThanMs: number): void {
    const steadyMs = this.#steadyMs()
    this.#steps = this.#steps.filter((step) => steadyMs - step.steadyMs < olderThanMs)
  }
}
