import type { DerivedNode } from '@graphmind-ai/mappings'
import { digest, toJson } from './outbox.ts'
import type { SpanFacts } from './span-facts.ts'

/** The id of the agent that runs inside a call without a span of its own. */
export function innerAgentId(callId: string): string {
  return `agent:${callId}`
}

/** The agent inside a call, if there is one: it begins and ends with the call. */
export function innerAgentOf(callId: string, { innerAgent, startNanos, endNanos }: SpanFacts): DerivedNode | undefined {
  if (innerAgent === undefined) return undefined
  const mapped = { dialect: 'calls', role: 'node', kind: 'agent', nodeId: `agent:${innerAgent}`, name: innerAgent } as const
  return { id: innerAgentId(callId), parentId: callId, startNanos, endNanos, mapped }
}

/** The facts of a node that has no span of its own, as if it had one. `app` is the program that told of it. */
export function factsOfDerived({ parentId, startNanos, endNanos, mapped }: DerivedNode, app: string | undefined): SpanFacts {
  const { kind, nodeId, name, error, model, run, usage, aborted } = mapped
  return {
    ours: false,
    derived: true,
    final: endNanos !== undefined,
    hash: digest(`${startNanos} ${endNanos} ${toJson(mapped)}`),
    ...(parentId === undefined ? {} : { parent: parentId }),
    startNanos,
    ...(endNanos === undefined ? {} : { endNanos }),
    role: 'node',
    kind,
    nodeId,
    name,
    status: error !== undefined ? 'error' : aborted === true ? 'aborted' : 'ok',
    ...(error === undefined ? {} : { error: { name: error.name, message: error.message } }),
    ...(model === undefined ? {} : { model }),
    ...(usage === undefined ? {} : { tokens: [usage.inputTokens, usage.outputTokens] as const }),
    ...(run === undefined ? {} : { run }),
    ...(app === undefined ? {} : { app }),
  }
}
