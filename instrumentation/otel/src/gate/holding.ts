import type { Session } from '@graphmind-ai/client'
import { AiSdk7Hook } from './ai-sdk-7.ts'
import { joinAiSdk7 } from './ai-sdk-7-list.ts'
import { EditedInputs } from './edit-input.ts'
import { Gates, type GatesParts } from './gates.ts'
import { GatingTracer } from './gating-tracer.ts'
import type { ProviderHook, WrapTracer } from './provider-hook.ts'
import { TokenFeed } from './token-feed.ts'

/** Set on globalThis by the processor that holds calls: two of them, or two copies of this package, must not hold a call twice. */
const OWNER = Symbol.for('graphmind.holding')

export interface Holding {
  readonly gates: Gates
  readonly tokens: TokenFeed
  /** Gates ask this session from now on. */
  use(session: Session): void
  /** Looks whether our hooks are still in place; cheap. */
  check(): void
  /** Takes all hooks out. Calls that are held go on when the session is disposed. */
  stop(): void
}

/** Arms every way to hold that this process offers; undefined when another processor already does. */
export function startHolding(parts: GatesParts, hookTracers: (wrap: WrapTracer) => ProviderHook): Holding | undefined {
  if (Reflect.get(globalThis, OWNER) !== undefined) return undefined
  const gates = new Gates(parts)
  Reflect.set(globalThis, OWNER, gates)
  const tokens = new TokenFeed()
  const edits = new EditedInputs()
  const provider = hookTracers((tracer, scope) => new GatingTracer(tracer, scope, { gates, tokens, edits }))
  const aiSdk7 = joinAiSdk7(new AiSdk7Hook(gates, tokens, edits))
  return {
    gates,
    tokens,
    use(session) {
      gates.use(session)
      tokens.use(session)
    },
    check() {
      provider.check()
      aiSdk7.keepFirst()
    },
    stop() {
      gates.close()
      provider.stop()
      aiSdk7.leave()
      Reflect.deleteProperty(globalThis, OWNER)
    },
  }
}
