const REMEMBERED = 10_000

/** One app over all its connections, as far as it can prove that it is the same one. */
interface Owner {
  /** Announced `run-claim`: its runs stay its own for a while after it is gone. */
  readonly isBinding: boolean
  connection: string
  /** When its connection was lost, epoch ms; undefined while it is there. */
  goneSince: number | undefined
}

export interface ClaimPorts {
  /** Unguessable: who shows a token is the one it was given to. */
  ids(): string
  nowMs(): number
  readonly graceMs: number
}

/**
 * Who speaks for which wire-native run. Two senders in one run would overwrite each other's numbers (design 4), so a run belongs to
 * the app that spoke first: while it is connected, and, when it asked for it by `run-claim`, within the grace period too. An app that
 * comes back proves itself by the token of an earlier hello.ack; nothing else in a hello is secret.
 */
export class Claims {
  readonly #ports: ClaimPorts
  readonly #owners = new Map<string, Owner>()
  /** Token → owner's key. A token stays good: the answer that brought the next one may have been lost. */
  readonly #tokens = new Map<string, string>()
  readonly #connections = new Map<string, string>()
  readonly #runs = new Map<string, string>()

  constructor(ports: ClaimPorts) {
    this.#ports = ports
  }

  /** An app said hello. Answers its token for next time, and whether it came back, and from which connection if that is still open. */
  greet(
    connection: string,
    hello: { readonly isBinding: boolean; readonly resumeToken: string | undefined },
  ): { readonly token: string; readonly isBack: boolean; readonly superseded: string | undefined } {
    const proven = hello.resumeToken === undefined ? undefined : this.#tokens.get(hello.resumeToken)
    const key = this.#connections.get(connection) ?? proven ?? this.#ports.ids()
    const before = this.#owners.get(key)
    const isOpen = before !== undefined && before.goneSince === undefined && before.connection !== connection
    remember(this.#owners, key, { isBinding: hello.isBinding, connection, goneSince: undefined })
    this.#connections.set(connection, key)
    const token = this.#ports.ids()
    remember(this.#tokens, token, key)
    return { token, isBack: key === proven, superseded: isOpen ? before.connection : undefined }
  }

  /** False when the run is another app's. */
  claim(runId: string, connection: string): boolean {
    const key = this.#connections.get(connection) ?? this.#stranger(connection)
    const holder = this.#runs.get(runId)
    if (holder !== undefined && holder !== key && this.#isHeld(holder)) return false
    remember(this.#runs, runId, key)
    return true
  }

  closed(connection: string): void {
    const key = this.#connections.get(connection)
    this.#connections.delete(connection)
    const owner = key === undefined ? undefined : this.#owners.get(key)
    if (owner?.connection === connection) owner.goneSince = this.#ports.nowMs()
  }

  /** Clients of other languages may send events before hello, or no hello at all. */
  #stranger(connection: string): string {
    const key = this.#ports.ids()
    this.#connections.set(connection, key)
    remember(this.#owners, key, { isBinding: false, connection, goneSince: undefined })
    return key
  }

  #isHeld(key: string): boolean {
    const owner = this.#owners.get(key)
    if (owner === undefined) return false
    if (owner.goneSince === undefined) return true
    return owner.isBinding && this.#ports.nowMs() - owner.goneSince < this.#ports.graceMs
  }
}

function remember<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key)
  map.set(key, value)
  const oldest = map.keys().next().value
  if (map.size > REMEMBERED && oldest !== undefined) map.delete(oldest)
}
