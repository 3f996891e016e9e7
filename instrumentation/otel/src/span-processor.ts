import { attachWaitMs } from './attach-wait.ts'
import { prepareLink } from './link.ts'
import { LiveProcessor } from './live-processor.ts'
import { liveSpanOf } from './live-span.ts'
import type { GraphMindSpanProcessorOptions } from './options.ts'
import { sharedProcessor } from './preload/shared-processor.ts'

const READY_MS = 2000

let handedOver: LiveProcessor | undefined

/** A processor for users that is one which is at work already. */
export function handleOf(live: LiveProcessor): GraphMindSpanProcessor {
  handedOver = live
  try {
    return new GraphMindSpanProcessor()
  } finally {
    handedOver = undefined
  }
}

/**
 * Shows a program's spans in GraphMind while they run, and lets the debugger hold its calls. Give it to any tracer provider of OTel JS
 * 1.x to 3.x. It changes nothing that other processors see, never throws, never keeps the process alive, and does nothing at all under
 * GRAPHMIND_DISABLED=1, or under NODE_ENV=production without GRAPHMIND=1. In a program that was started with the preload it is the
 * preload's processor under another name.
 */
export class GraphMindSpanProcessor {
  readonly #live: LiveProcessor | undefined

  constructor(options: GraphMindSpanProcessorOptions = {}) {
    const shared = handedOver ?? sharedProcessor()
    if (shared !== undefined) {
      this.#live = shared
      return
    }
    const opening = prepareLink(options)
    this.#live = opening.enabled ? new LiveProcessor(options, opening) : undefined
  }

  onStart(span: unknown, _parentContext?: unknown): void {
    const live = this.#live && liveSpanOf(span)
    if (live !== undefined) this.#live?.onStart(live)
  }

  onEnd(span: unknown): void {
    const live = this.#live && liveSpanOf(span)
    if (live !== undefined) this.#live?.onEnd(live)
  }

  /** Resolves when the collector has all spans, or after two seconds. Never rejects. */
  forceFlush(): Promise<void> {
    return this.#live?.flush() ?? Promise.resolve()
  }

  /** Lets held calls go, sends what is left, and is silent from then on. Never rejects. */
  shutdown(): Promise<void> {
    return this.#live?.stop() ?? Promise.resolve()
  }

  /** Connects to the debugger now: true once calls can be held, false after `timeoutMs` (GRAPHMIND_WAIT_FOR_ATTACH_MS, else 2000) and when disabled. */
  ready(options: { readonly timeoutMs?: number } = {}): Promise<boolean> {
    return this.#live?.ready(options.timeoutMs ?? attachWaitMs(process.env, READY_MS)) ?? Promise.resolve(false)
  }
}
