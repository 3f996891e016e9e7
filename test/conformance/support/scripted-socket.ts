type Listener = (event: never) => void

/** A WebSocket class for the `webSocket` option that a test plays by hand: no network, so the clock may be a fake one. */
export class ScriptedSocket {
  static dialled: ScriptedSocket[] = []
  readonly url: string
  readonly bufferedAmount = 0
  readonly sent: string[] = []
  isClosed = false
  readonly #listeners: [string, Listener][] = []

  constructor(url: string) {
    this.url = url
    ScriptedSocket.dialled.push(this)
  }

  addEventListener(type: string, listener: Listener): void {
    this.#listeners.push([type, listener])
  }

  send(text: string): void {
    this.sent.push(text)
  }

  close(): void {
    this.isClosed = true
  }

  open(): void {
    this.#tell('open', {})
  }

  ack(): void {
    const payload = { versions: { protocol: 1, viewer: '0' }, capabilities: [], breakpoints: [], mode: 'run' }
    this.#tell('message', { data: JSON.stringify({ gm: 1, seq: 0, ts: 0, runId: '*', type: 'hello.ack', payload }) })
  }

  /** The other side goes away. */
  drop(): void {
    this.#tell('close', { code: 1006, reason: '' })
  }

  #tell(type: string, event: object): void {
    for (const [name, listener] of this.#listeners) if (name === type) listener(event as never)
  }
}
