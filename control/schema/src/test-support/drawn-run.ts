import * as fc from 'fast-check'
import { event, type StoryEvent } from './story.ts'

const NODES = ['agent:planner', 'llm:step', 'tool:search', 'custom:span'] as const
const KINDS = ['agent', 'llm', 'tool', 'custom'] as const
/** The instances a drawn run may have. */
export const ids = ['a', 'b', 'c', 'd', 'e', 'f']
const id = fc.constantFrom(...ids)
const maybeId = fc.option(id, { nil: undefined, freq: 2 })

/** What happens to one instance. */
export interface Draw {
  readonly node: number
  readonly parent: string | undefined
  readonly alias: string | undefined
  readonly finish: 'ok' | 'error' | 'aborted' | undefined
  readonly fails: boolean
  readonly tokens: boolean
  readonly hold: 'none' | 'open' | 'continue' | 'inject' | 'retry' | 'edit'
  readonly point: 'before' | 'after' | 'error'
  readonly input: boolean
}

export const draw: fc.Arbitrary<Draw> = fc.record({
  node: fc.nat(NODES.length - 1),
  parent: maybeId,
  alias: fc.option(id, { nil: undefined, freq: 3 }),
  finish: fc.constantFrom('ok', 'error', 'aborted', undefined),
  fails: fc.boolean(),
  tokens: fc.boolean(),
  hold: fc.constantFrom('none', 'none', 'open', 'continue', 'inject', 'retry', 'edit'),
  point: fc.constantFrom('before', 'after', 'error'),
  input: fc.boolean(),
})

export const start = (instanceId: string, { node, parent, alias, input }: Draw): StoryEvent =>
  event('node.started', {
    nodeId: NODES[node] ?? 'custom:span',
    kind: KINDS[node] ?? 'custom',
    name: `node ${node}`,
    instanceId,
    ...(parent !== undefined && { parentInstanceId: parent, parentId: 'agent:planner' }),
    ...(alias !== undefined && { aliasOf: alias }),
    ...(input && { input: { of: instanceId } }),
  })

/** Everything that is said of one instance, each sort of event at most once. */
export function facts(instanceId: string, drawn: Draw): StoryEvent[] {
  const nodeId = NODES[drawn.node] ?? 'custom:span'
  const story: StoryEvent[] = [start(instanceId, drawn)]
  if (drawn.tokens) story.push(event('node.token', { nodeId, instanceId, deltas: [{ t: 'text', v: `said by ${instanceId}` }] }))
  if (drawn.fails) story.push(event('node.error', { nodeId, instanceId, error: { name: 'Error', message: `of ${instanceId}` } }))
  if (drawn.hold !== 'none') story.push(...hold(instanceId, nodeId, drawn))
  if (drawn.finish !== undefined) {
    const usage = { inputTokens: 3, outputTokens: 2, cacheReadTokens: 1, costUsd: 1 }
    story.push(event('node.finished', { nodeId, instanceId, durationMs: 5, status: drawn.finish, output: `from ${instanceId}`, usage }))
  }
  return story
}

function hold(instanceId: string, nodeId: string, drawn: Draw): StoryEvent[] {
  const pauseId = `pause ${instanceId}`
  const paused = event('exec.paused', { pauseId, nodeId, instanceId, point: drawn.point })
  if (drawn.hold === 'open') return [paused, event('exec.refused', { pauseId, code: 'schema' })]
  const action = drawn.hold === 'edit' ? 'continue' : drawn.hold === 'inject' || drawn.hold === 'retry' ? drawn.hold : 'continue'
  return [
    paused,
    event('exec.resumed', {
      pauseId,
      action,
      instanceId,
      ...(drawn.hold === 'inject' && { injected: { output: `put into ${instanceId}` } }),
      ...(drawn.hold === 'edit' && { edited: { after: `edit of ${instanceId}` } }),
    }),
  ]
}
