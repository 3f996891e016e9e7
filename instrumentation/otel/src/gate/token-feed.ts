import type { Session } from '@graphmind-ai/client'
import type { TokenDelta } from '@graphmind-ai/schema'
import type { Span } from '@opentelemetry/api'
import { type GateSite, gateSiteOf } from './gate-site.ts'

/** About 30 batches a second: smooth to the eye without flooding (contract, "Instrument the model call"). */
const BATCH_MS = 34
/** Text kept for a debugger that attaches while a model still speaks. */
const MAX_PENDING_CHARS = 256 * 1024

/** Sends what models stream as `node.token`, while somebody watches. */
export class TokenFeed {
  #session: Session | undefined

  use(session: Session): void {
    this.#session = session
  }

  /** Begins the stream of the model call that this span stands for. */
  open(span: Span): TokenStream {
    return new TokenStream(span, () => this.#session)
  }
}

/**
 * The pieces of one model call. Unwatched they are only collected, so that whoever attaches in the middle gets the text from its
 * beginning; a stream that ends unwatched sends nothing, its answer comes with the span.
 */
class TokenStream {
  readonly #span: Span
  readonly #session: () => Session | undefined
  #site: GateSite | undefined
  #pending: TokenDelta[] = []
  #chars = 0
  #timer: NodeJS.Timeout | undefined
  #given = false

  constructor(span: Span, session: () => Session | undefined) {
    this.#span = span
    this.#session = session
  }

  push(channel: TokenDelta['t'], text: string): void {
    if (this.#given || text === '') return
    this.#chars += text.length
    if (this.#chars > MAX_PENDING_CHARS) {
      this.#giveUp()
      return
    }
    const last = this.#pending.at(-1)
    if (last?.t === channel) last.v += text
    else this.#pending.push({ t: channel, v: text })
    if (this.#timer !== undefined || this.#session()?.attached !== true) return
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.#send()
    }, BATCH_MS)
    this.#timer.unref()
  }

  /** The model is done, or broke off. */
  end(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#send()
    this.#giveUp()
  }

  #send(): void {
    const session = this.#session()
    if (session?.attached !== true || this.#pending.length === 0) return
    this.#site ??= gateSiteOf(this.#span)
    if (this.#site?.kind !== 'llm') {
      // Without an OTel integration of the framework the active span is somebody else's.
      this.#giveUp()
      return
    }
    const { runId, nodeId, instanceId } = this.#site
    session.emit('node.token', { nodeId, instanceId, deltas: this.#pending }, { runId })
    this.#pending = []
    this.#chars = 0
  }

  #giveUp(): void {
    this.#given = true
    this.#pending = []
  }
}
