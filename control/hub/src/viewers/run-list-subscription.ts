import { type RunInfo, type UiServerMessage, WILDCARD_RUN_ID } from '@graphmind-ai/schema'
import { drained } from './drained.ts'
import type { SubscriptionPorts } from './run-subscription.ts'

/** How many runs the list begins with; older ones are asked for over HTTP. */
const LISTED_RUNS = 200

/** One viewer's view of the list: a snapshot, then every change. For a slow viewer only the last change of each run is kept. */
export class RunListSubscription {
  readonly #ports: SubscriptionPorts
  readonly #waiting = new Map<string, UiServerMessage>()
  #isLive = false
  #isStopped = false
  #leaveBus: readonly (() => void)[] = []

  constructor(ports: SubscriptionPorts) {
    this.#ports = ports
  }

  async start(): Promise<void> {
    const { bus } = this.#ports
    this.#leaveBus = [
      bus.onRunUpdate((run: RunInfo) => this.#changed(run.id, { type: 'run.update', run })),
      bus.onRunRemoved((runId) => this.#changed(runId, { type: 'run.removed', runId })),
    ]
    try {
      const runs = await this.#ports.store.runs(LISTED_RUNS)
      if (this.#isStopped) return
      this.#ports.send({ type: 'runs', runs })
      this.#flush()
    } catch (error) {
      if (this.#isStopped) return
      this.stop()
      this.#ports.failed(WILDCARD_RUN_ID, error)
    }
  }

  stop(): void {
    this.#isStopped = true
    for (const leave of this.#leaveBus) leave()
  }

  #changed(runId: string, message: UiServerMessage): void {
    if (this.#isStopped) return
    this.#waiting.set(runId, message)
    if (!this.#isLive) return
    if (this.#ports.peer.bufferedBytes <= this.#ports.limits.viewerBehindBytes) {
      this.#flush()
      return
    }
    this.#isLive = false
    void drained(this.#ports.peer, this.#ports.limits.viewerDrainedBytes, () => !this.#isStopped).then(() => this.#flush())
  }

  #flush(): void {
    if (this.#isStopped) return
    this.#isLive = true
    for (const message of this.#waiting.values()) this.#ports.send(message)
    this.#waiting.clear()
  }
}
