import { type Tracer, trace } from '@opentelemetry/api'
import type { Gates } from './gates.ts'
import { GatingTracer } from './gating-tracer.ts'

/** Where the API's copies of one major version keep what is registered; the key is part of the API's compatibility promise. */
const API_GLOBAL = Symbol.for('opentelemetry.js.api.1')

type GetTracer = (name: string, version?: string, options?: object) => Tracer | undefined
interface ProxyProvider {
  getDelegateTracer: GetTracer
}

/**
 * Puts gating tracers in front of the provider that is registered, or will be. The provider itself stays as it is: only what the
 * API's ProxyTracerProvider hands out changes. `check` catches a provider that came some other way; `stop` takes it all back.
 */
export function hookProvider(gates: Gates): { check(): void; stop(): void } {
  const undo: (() => void)[] = []
  const hooked = new WeakSet<object>()
  const tracers = new WeakMap<Tracer, GatingTracer>()

  const hook = (provider: unknown) => {
    if (!isProxyProvider(provider) || hooked.has(provider)) return
    hooked.add(provider)
    const { getDelegateTracer } = provider
    provider.getDelegateTracer = (name, version, options) => {
      const inner = getDelegateTracer.call(provider, name, version, options)
      if (inner === undefined) return undefined
      const known = tracers.get(inner)
      if (known !== undefined) return known
      const gating = new GatingTracer(inner, name, gates)
      tracers.set(inner, gating)
      return gating
    }
    undo.push(() => {
      provider.getDelegateTracer = getDelegateTracer
    })
  }
  const check = () => hook(trace.getTracerProvider())

  // Our copy of the API need not be the one that the app registers with (a linked package, two versions), and a framework may ask for
  // its tracer right after, so the registration itself is watched.
  undo.push(
    onceDefined(globalThis, API_GLOBAL, (registry) => {
      if (typeof registry === 'object' && registry !== null) undo.push(onceDefined(registry, 'trace', hook))
    }),
  )
  check()
  return {
    check,
    stop() {
      for (const step of undo.splice(0)) step()
    },
  }
}

function isProxyProvider(provider: unknown): provider is ProxyProvider {
  return (
    typeof provider === 'object' && provider !== null && 'getDelegateTracer' in provider && typeof provider.getDelegateTracer === 'function'
  )
}

/** Calls back with a property's value: now when it has one, else when it is first set; then it is a plain property again. */
function onceDefined(owner: object, key: string | symbol, listener: (value: unknown) => void): () => void {
  const present: unknown = Reflect.get(owner, key)
  if (present !== undefined) {
    listener(present)
    return () => undefined
  }
  let waiting = true
  const settle = () => {
    waiting = false
    Reflect.deleteProperty(owner, key)
  }
  Object.defineProperty(owner, key, {
    configurable: true,
    enumerable: false,
    get: () => undefined,
    set(value: unknown) {
      settle()
      Object.defineProperty(owner, key, { configurable: true, enumerable: true, writable: true, value })
      listener(value)
    },
  })
  return () => {
    if (waiting) settle()
  }
}
