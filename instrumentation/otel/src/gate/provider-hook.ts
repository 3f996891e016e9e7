import * as ownApi from '@opentelemetry/api'

/** A copy of `@opentelemetry/api`; a program may have several. */
export type Api = Pick<typeof ownApi, 'trace' | 'context'>
type Tracer = ownApi.Tracer
type TracerProvider = ownApi.TracerProvider

/** Where the API's copies of one major version keep what is registered; the key is part of the API's compatibility promise. */
const API_GLOBAL = Symbol.for('opentelemetry.js.api.1')

type GetTracer = (name: string, version?: string, options?: object) => Tracer | undefined
interface ProxyProvider {
  getDelegateTracer: GetTracer
  getTracer: TracerProvider['getTracer']
  getDelegate(): unknown
  setDelegate(delegate: TracerProvider): void
}

/** Puts something in front of a tracer; called once for each. */
export type WrapTracer = (tracer: Tracer, scope: string) => Tracer

export interface ProviderHook {
  /** Catches a provider that came some other way; cheap. */
  check(): void
  /** Takes all hooks out. */
  stop(): void
}

export interface ProviderHookOptions {
  readonly wrap: WrapTracer
  /** Copies of the API beside ours, for programs in which nobody registers a provider. */
  readonly apis?: readonly Api[]
  /** Asked when a span is about to start and there is no provider. */
  readonly provide?: () => TracerProvider | undefined
}

/**
 * Wraps the tracers of the provider that is registered, or will be: those that the API hands out, and from its registration on also those
 * of the provider's own `getTracer`. Nothing else of the provider changes.
 */
export function hookProvider({ wrap, apis = [], provide }: ProviderHookOptions): ProviderHook {
  const undo: (() => void)[] = []
  const hooked = new WeakSet<object>()
  const tracers = new WeakMap<Tracer, Tracer>()
  const wrapOnce = (inner: Tracer, scope: string): Tracer => {
    const known = tracers.get(inner)
    if (known !== undefined) return known
    const wrapped = wrap(inner, scope)
    tracers.set(inner, wrapped)
    // What the provider hands out is asked for again by the API.
    tracers.set(wrapped, wrapped)
    return wrapped
  }
  const joinProvider = (provider: unknown) => {
    if (!hasGetTracer(provider) || hooked.has(provider)) return
    hooked.add(provider)
    const { getTracer } = provider
    const isOwn = Object.hasOwn(provider, 'getTracer')
    const value: GetTracer = (name, version, options) => {
      const inner = getTracer.call(provider, name, version, options)
      return inner && wrapOnce(inner, name)
    }
    // A frozen provider is left alone.
    if (!Reflect.defineProperty(provider, 'getTracer', { configurable: true, writable: true, enumerable: isOwn, value })) return
    undo.push(() => {
      if (provider.getTracer !== value) return
      if (isOwn) provider.getTracer = getTracer
      else Reflect.deleteProperty(provider, 'getTracer')
    })
  }

  const hook = (provider: unknown) => {
    if (!isProxyProvider(provider) || hooked.has(provider)) return
    hooked.add(provider)
    const { getDelegateTracer, getTracer, setDelegate } = provider
    let onlyAsked = false
    provider.getDelegateTracer = (name, version, options) => {
      const inner = getDelegateTracer.call(provider, name, version, options)
      const given = inner ?? (onlyAsked ? undefined : provide?.()?.getTracer(name, version, options))
      return given === undefined ? undefined : wrapOnce(given, name)
    }
    // Asking for a tracer is no start of a span: many libraries do it when they are loaded, before the program registers its provider.
    provider.getTracer = (name, version, options) => {
      onlyAsked = true
      try {
        return getTracer.call(provider, name, version, options)
      } finally {
        onlyAsked = false
      }
    }
    // The registration sets the provider only after it has put the proxy into place.
    provider.setDelegate = (delegate) => {
      setDelegate.call(provider, delegate)
      joinProvider(delegate)
    }
    if (hasDelegate(provider)) joinProvider(provider.getDelegate())
    undo.push(() => Object.assign(provider, { getDelegateTracer, getTracer, setDelegate }))
  }
  const check = () => hook(ownApi.trace.getTracerProvider())

  // Our copy of the API need not be the one that the app registers with (a linked package, two versions), and a framework may ask for
  // its tracer right after, so the registration itself is watched.
  undo.push(
    onceDefined(globalThis, API_GLOBAL, (registry) => {
      if (typeof registry === 'object' && registry !== null) undo.push(onceDefined(registry, 'trace', hook))
    }),
  )
  check()
  for (const api of apis) hook(api.trace.getTracerProvider())
  return {
    check,
    stop() {
      for (const step of undo.splice(0)) step()
    },
  }
}

/** True when a program has registered a provider, with whatever copy of the API. */
export function isProviderRegistered(): boolean {
  const registry: unknown = Reflect.get(globalThis, API_GLOBAL)
  return typeof registry === 'object' && registry !== null && Reflect.get(registry, 'trace') !== undefined
}

/** False while the proxy stands for no provider: it names a constant of its copy of the API then, as every fresh proxy does. */
function hasDelegate(provider: ProxyProvider): boolean {
  const fresh: unknown = Reflect.construct(provider.constructor, [])
  return !isProxyProvider(fresh) || provider.getDelegate() !== fresh.getDelegate()
}

function hasGetTracer(provider: unknown): provider is { getTracer: GetTracer } {
  return typeof provider === 'object' && provider !== null && 'getTracer' in provider && typeof provider.getTracer === 'function'
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
