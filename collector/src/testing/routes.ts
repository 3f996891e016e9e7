import type { Express } from 'express'

interface Layer {
  readonly route?: { readonly path: unknown; readonly methods: { readonly [method: string]: boolean } }
  readonly handle: { readonly stack?: readonly Layer[] }
  match(path: string): unknown
}

/** `METHOD /path` of every route that an app answers; those for any method, which only refuse, are left out. */
export function routesOf(app: Express): readonly string[] {
  return found(app.router as unknown as { readonly stack: readonly Layer[] }, '').sort()
}

function found({ stack }: { readonly stack: readonly Layer[] }, prefix: string): string[] {
  return stack.flatMap((layer): string[] => {
    if (layer.route !== undefined) {
      const { path, methods } = layer.route
      if (typeof path !== 'string') return []
      const named = Object.keys(methods).filter((method) => method !== '_all')
      return named.map((method) => `${method.toUpperCase()} ${prefix}${path}`)
    }
    if (layer.handle.stack === undefined) return []
    // Express keeps no text of where a router hangs; ours hang at the root or at /api.
    const hangsAtRoot = layer.match('/elsewhere') !== false
    return found({ stack: layer.handle.stack }, hangsAtRoot ? prefix : '/api')
  })
}
