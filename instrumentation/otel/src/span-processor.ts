import { prepareLink } from './link.ts'
import { LiveProcessor } from './live-processor.ts'
import type { LiveSpan } from './live-span.ts'
import type { GraphMindSpanProcessorOptions } from './options.ts'

const READY_MS = 2000

/**
 * Shows a program's spans in GraphMind while they run, and lets the debugger hold its calls. Give it to any tracer provider of OTel JS
 * 2.x or 3.x. It changes nothing that other processors see, never throws, never keeps the process alive, and does nothing at all under
 * GRAPHMIND_DISABLED=1, or under NODE_ENV=production without GRAPHMIND=1.
 */
export class GraphMindSpanProcessor {
  readonly #live: LiveProcessor | undefined

  constructor(options: GraphMindSpanProcessorOptions = {}) {
    const opening = prepareLink(options)
    this.#live = opening.enabled ? new LiveProcessor(options, opening) : undefined
  }

  onStart(span: LiveSpan, _parentContext?: unknown): void {
    this.#live?.onStart(span)
  }

  onEnd(span: LiveSpan): void {
    this.#live?.onEnd(span)
  }

  /** Resolves when the collector has all spans, or after two seconds. Never rejects. */
  forceFlush(): Promise<void> {
    return this.#live?.flush() ?? Promise.resolve()
  }

  /** Lets held calls go, sends what is left, and is silent from then on. Never rejects. */
  shutdown(): Promise<void> {
    return this.#live?.stop() ?? Promise.resolve()
  }

  /** Connects to the debugger now: true once calls can be held, false after `timeoutMs` (2000) and when disabled. */
  ready(options: { readonly timeoutMs?: number } = {}): Promise<boolean> {
    return this.#live?.ready(options.timeoutMs ?? READY_MS) ?? Promise.resolve(false)
  }
}
