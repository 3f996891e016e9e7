/** Where AI SDK 7 keeps its integrations; public through `registerTelemetry`, which pushes to it. */
const LIST = 'AI_SDK_TELEMETRY_INTEGRATIONS'

/** Puts the hook first in the AI SDK's list, made here when it is absent, and keeps it there. `ai` itself is never imported. */
export function joinAiSdk7(hook: object): { keepFirst(): void; leave(): void } {
  const keepFirst = () => {
    const list = integrations()
    if (list[0] === hook) return
    remove(list, hook)
    list.unshift(hook)
  }
  keepFirst()
  return { keepFirst, leave: () => remove(integrations(), hook) }
}

function integrations(): unknown[] {
  const present: unknown = Reflect.get(globalThis, LIST)
  if (Array.isArray(present)) return present
  const list: unknown[] = []
  Reflect.set(globalThis, LIST, list)
  return list
}

function remove(list: unknown[], hook: object): void {
  const index = list.indexOf(hook)
  if (index >= 0) list.splice(index, 1)
}
