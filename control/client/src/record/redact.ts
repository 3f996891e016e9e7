import { NODE_KINDS, type NodeKind, REDACTED } from '@graphmind-ai/schema'
import type { HideSwitches } from '../switches.ts'

const REMEMBERED_NODES = 4096

export type Payload = Readonly<Record<string, unknown>>

/**
 * Replaces hidden values before an event is buffered, whatever its type. A switch for tools needs the kind of the node, which a
 * finish does not carry, so kinds are remembered by node id. A node of unknown kind counts as a tool: privacy fails closed.
 */
export function createRedactor(hide: HideSwitches): (type: string, payload: Payload) => Payload {
  if (!Object.values(hide).includes(true)) return (_type, payload) => payload
  const kinds = new Map<string, NodeKind>()

  return (type, payload) => {
    const isTool = kindOf(payload, kinds) === 'tool'
    const hideInput = hide.hideInputs || (hide.hideToolArgs && isTool)
    const hideOutput = hide.hideOutputs || (hide.hideToolResults && isTool)
    const hidden: string[] = []
    const replaced: Record<string, unknown> = { ...payload }
    const replace = (key: string, value: unknown) => {
      replaced[key] = value
      hidden.push(key)
    }
    if (hideInput && payload['input'] !== undefined) replace('input', REDACTED)
    if (hideOutput && payload['output'] !== undefined) replace('output', REDACTED)
    if (hideInput && isObject(payload['edited'])) replace('edited', { ...payload['edited'], after: REDACTED })
    // The fingerprint of a short input can be guessed back into it.
    if (hideInput && isObject(payload['loop'])) replace('loop', { ...payload['loop'], fingerprint: REDACTED })
    if (hideOutput && isObject(payload['injected'])) replace('injected', { ...payload['injected'], output: REDACTED })
    if (type === 'node.token' && Array.isArray(payload['deltas'])) {
      const deltas: readonly unknown[] = payload['deltas']
      const emptied = deltas.map((delta) => emptyDelta(delta, hide))
      if (emptied.some((delta, index) => delta !== deltas[index])) replace('deltas', emptied)
    }
    if (hidden.length === 0) return payload
    replaced['redaction'] = { count: hidden.length, keys: hidden }
    return replaced
  }
}

function emptyDelta(delta: unknown, hide: HideSwitches): unknown {
  if (!isObject(delta) || typeof delta['v'] !== 'string') return delta
  const hidden = hide.hideOutputs || (hide.hideInputs && delta['t'] === 'tool-args')
  return hidden ? { ...delta, v: '', chars: delta['v'].length } : delta
}

function kindOf(payload: Payload, kinds: Map<string, NodeKind>): NodeKind {
  const { kind, nodeId } = payload
  const id = typeof nodeId === 'string' ? nodeId : ''
  if (isNodeKind(kind)) {
    kinds.delete(id)
    kinds.set(id, kind)
    const oldest = kinds.keys().next().value
    if (kinds.size > REMEMBERED_NODES && oldest !== undefined) kinds.delete(oldest)
    return kind
  }
  const prefix = id.slice(0, Math.max(0, id.indexOf(':')))
  return kinds.get(id) ?? (isNodeKind(prefix) ? prefix : 'tool')
}

function isNodeKind(value: unknown): value is NodeKind {
  return NODE_KINDS.some((kind) => kind === value)
}

function isObject(value: unknown): value is Payload {
  return typeof value === 'object' && value !== null
}
