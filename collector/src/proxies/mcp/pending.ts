import type { Call } from './call.ts'
import type { RequestId } from './json-rpc.ts'
import type { Sender } from './methods.ts'

/** Requests that wait for their answer at once; the longest waiting one is forgotten, and its answer is relayed without a gate. */
export const MAX_PENDING = 10_000
/** Bytes of request lines kept to be sent again; beyond it the oldest can't be retried any more. */
export const MAX_KEPT_BYTES = 64 * 1024 * 1024

/** Requests without an answer yet, by who sent them and their id: both sides count their ids for themselves. */
export class PendingCalls {
  readonly #calls = new Map<string, Call>()
  #keptBytes = 0

  add(call: Call): void {
    const key = keyOf(call.sender, call.id)
    this.#forget(key)
    this.#calls.set(key, call)
    this.#keptBytes += call.bytes?.length ?? 0
    const oldest = this.#calls.keys().next().value
    if (this.#calls.size > MAX_PENDING && oldest !== undefined) this.#forget(oldest)
    if (this.#keptBytes > MAX_KEPT_BYTES) this.#dropBytes()
  }

  find(sender: Sender, id: RequestId): Call | undefined {
    return this.#calls.get(keyOf(sender, id))
  }

  /** The call went on as another line. */
  replaceLine(call: Call, bytes: Buffer): void {
    if (this.#calls.get(keyOf(call.sender, call.id)) === call) this.#keptBytes += bytes.length - (call.bytes?.length ?? 0)
    call.bytes = bytes
  }

  /** Takes the call out; false when it was out already, so that a call ends once. */
  settle(call: Call): boolean {
    const key = keyOf(call.sender, call.id)
    return this.#calls.get(key) === call && this.#forget(key)
  }

  all(): readonly Call[] {
    return [...this.#calls.values()]
  }

  #forget(key: string): boolean {
    this.#keptBytes -= this.#calls.get(key)?.bytes?.length ?? 0
    return this.#calls.delete(key)
  }

  #dropBytes(): void {
    for (const call of this.#calls.values()) {
      if (this.#keptBytes <= MAX_KEPT_BYTES) return
      this.#keptBytes -= call.bytes?.length ?? 0
      call.bytes = undefined
    }
  }
}

/** Tells requests of both sides apart, and ids of both types. */
export function keyOf(sender: Sender, id: RequestId): string {
  return `${sender}:${typeof id}:${id}`
}
