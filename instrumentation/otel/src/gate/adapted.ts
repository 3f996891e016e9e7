import { AsyncLocalStorage } from 'node:async_hooks'
import type { GateSite } from './gate-site.ts'

/** Tools, by identity: what a call uses of several with one name is known where a framework shows the tool itself. */
const tools = new WeakSet<object>()
/** Names of tools, and ids of models with their provider, of which an adapter stands before at least one. */
const names = new Set<string>()

/** The kind of call, and what tells it from others as far as its span knows. */
export interface Adapted {
  readonly kind: GateSite['kind']
  readonly name: string
  /** Of a model, as the model says it. */
  readonly provider?: string
}

/** Says that an adapter stands before every call of `object`, a tool or model. */
export function adapt(object: object, { kind, name, provider }: Adapted): void {
  if (kind === 'tool') tools.add(object)
  names.add(`${kind} ${name}`)
  if (provider !== undefined) names.add(`${kind} ${name} ${provider}`)
}

/** True when an adapter, further in, holds the calls of this tool. */
export function isAdaptedTool(tool: object): boolean {
  return tools.has(tool)
}

/** True when an adapter, further in, holds this call, unless it is of another tool or model with the same name. */
export function mayBeAdapted(site: GateSite): boolean {
  if (names.size === 0) return false
  if (site.kind !== 'llm') return names.has(`${site.kind} ${site.name}`)
  const { attributes } = site.span
  const [model, provider] = [attributes['ai.model.id'], attributes['ai.model.provider']]
  if (model !== undefined) return names.has(provider === undefined ? `llm ${model}` : `llm ${model} ${provider}`)
  // The conventions give providers names of their own.
  return names.has(`llm ${attributes['gen_ai.request.model']}`)
}

/** Said of a call that was left to an adapter which did not come. */
export const NOT_ADAPTED =
  'Another tool or model with this name is wrapped by @graphmind-ai/sdk and held there; this one is not. Wrap it, too, to hold before it.'

interface Expectation {
  readonly site: Pick<GateSite, 'kind' | 'name' | 'toolCallId'>
  arrived: boolean
}

const expectations = new AsyncLocalStorage<Expectation>()

/** Runs a call that an adapter is expected to hold; `arrived` tells whether it did. */
export function expectAdapter(site: GateSite) {
  const expectation: Expectation = { site, arrived: false }
  return {
    get arrived() {
      return expectation.arrived
    },
    run: <Result>(work: () => Result): Result => expectations.run(expectation, work),
  }
}

/** Says that the adapter's own gate has been reached, by a call of this kind. */
export function adapterArrives(kind: GateSite['kind'], toolCallId: string | undefined): void {
  const expectation = expectations.getStore()
  if (expectation === undefined || expectation.site.kind !== kind) return
  const expectedId = expectation.site.toolCallId
  if (toolCallId === undefined || expectedId === undefined || toolCallId === expectedId) expectation.arrived = true
}
