import {
  type BreakpointMatcher,
  type ControlType,
  createEnvelope,
  type Envelope,
  type PayloadOf,
  type ResumeAction,
  type UiServerMessage,
  WILDCARD_RUN_ID,
} from '@graphmind-ai/schema'

/** What a person does at a held call. */
export interface Reaction {
  readonly action: ResumeAction
  readonly output?: unknown
  readonly input?: unknown
}

export interface Held {
  /** The how many-th run of this viewer's life it is, from 0. */
  readonly runIndex: number
  readonly paused: PayloadOf<'exec.paused'>
}

/** A viewer without a screen: sets breakpoints and answers every held call as its script says. */
export class ViewerScript {
  readonly #socket: WebSocket
  readonly #react: (held: Held) => Reaction
  readonly #runs: string[] = []
  readonly #answered = new Set<string>()
  /** What the hub or an app could not do. */
  readonly problems: string[] = []

  private constructor(socket: WebSocket, react: (held: Held) => Reaction) {
    this.#socket = socket
    this.#react = react
    socket.addEventListener('message', ({ data }) => this.#receive(JSON.parse(String(data)) as UiServerMessage))
  }

  static async open(url: string, breakpoints: readonly BreakpointMatcher[], react: (held: Held) => Reaction): Promise<ViewerScript> {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/ws/ui`)
    await new Promise((resolve, reject) => {
      socket.addEventListener('open', resolve, { once: true })
      socket.addEventListener('error', () => reject(new Error(`No viewer socket at ${url}.`)), { once: true })
    })
    const script = new ViewerScript(socket, react)
    script.#send({ type: 'subscribe', runId: WILDCARD_RUN_ID })
    for (const matcher of breakpoints) script.#control('breakpoint.set', { matcher }, WILDCARD_RUN_ID)
    return script
  }

  close(): void {
    this.#socket.close()
  }

  #receive(message: UiServerMessage): void {
    switch (message.type) {
      case 'runs':
        for (const run of message.runs) this.#follow(run.id)
        break
      case 'run.update':
        this.#follow(message.run.id)
        break
      case 'event':
        if (message.envelope.type === 'exec.paused') this.#held(message.runId, message.envelope)
        if (message.envelope.type === 'exec.refused') this.problems.push(JSON.stringify(message.envelope.payload))
        break
      case 'error':
        this.problems.push(message.message)
        break
      default:
        break
    }
  }

  #follow(runId: string): void {
    if (this.#runs.includes(runId)) return
    this.#runs.push(runId)
    this.#send({ type: 'subscribe', runId })
  }

  #held(runId: string, envelope: Envelope): void {
    const paused = envelope.payload as PayloadOf<'exec.paused'>
    if (this.#answered.has(paused.pauseId)) return
    this.#answered.add(paused.pauseId)
    const reaction = this.#react({ runIndex: this.#runs.indexOf(runId), paused })
    this.#control('exec.resume', { pauseId: paused.pauseId, ...reaction }, runId)
  }

  #control<Type extends ControlType>(type: Type, payload: PayloadOf<Type>, runId: string): void {
    this.#send({ type: 'control', envelope: createEnvelope(type, payload, { runId, seq: 0, ts: Date.now() }) })
  }

  #send(message: unknown): void {
    this.#socket.send(JSON.stringify(message))
  }
}
