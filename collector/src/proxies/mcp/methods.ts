import type { NodeKind } from '@graphmind-ai/schema'
import { isFields } from '../json-fields.ts'
import { storable } from '../storable.ts'

/** Who sent a request or notification. */
export type Sender = 'client' | 'server'

export const SESSION_NODE = 'mcp:session'
export const PROTOCOL_NODE = 'mcp:protocol'

/** How a call is drawn. */
export interface MethodNode {
  readonly nodeId: string
  readonly kind: NodeKind
  readonly name: string
  readonly parentId: typeof SESSION_NODE | typeof PROTOCOL_NODE
  /** What the node's input is: the part of the params that a person would look at, and may edit. */
  readonly input: unknown
}

interface MethodRule {
  readonly sender: Sender
  readonly node: (params: unknown) => Omit<MethodNode, 'parentId'>
}

const keyed = (kind: NodeKind, key: string) => (params: unknown) => {
  const name = storable(textIn(params, key) ?? '?')
  return { nodeId: storable(`${kind}:${name}`), kind, name, input: params }
}

const underSession = (method: string) => (params: unknown) => custom(method, params)

/** The methods that are drawn for themselves; all others are plumbing. Direction matters: a server has no tools of the client to call. */
const RULES: { readonly [method: string]: MethodRule } = {
  'tools/call': { sender: 'client', node: (params) => ({ ...keyed('tool', 'name')(params), input: argumentsOf(params) }) },
  'resources/read': { sender: 'client', node: keyed('resource', 'uri') },
  'prompts/get': { sender: 'client', node: keyed('prompt', 'name') },
  'completion/complete': { sender: 'client', node: underSession('completion/complete') },
  'sampling/createMessage': {
    sender: 'server',
    node: (params) => ({ nodeId: 'llm:sampling', kind: 'llm', name: 'sampling', input: params }),
  },
  'elicitation/create': { sender: 'server', node: underSession('elicitation/create') },
}

export function nodeOf(sender: Sender, method: string, params: unknown): MethodNode {
  const rule = Object.hasOwn(RULES, method) ? RULES[method] : undefined
  if (rule?.sender === sender) return { ...rule.node(params), parentId: SESSION_NODE }
  return { ...custom(method, params), parentId: PROTOCOL_NODE }
}

/** A request whose arguments a person may edit. */
export function isToolCall(sender: Sender, method: string): boolean {
  return sender === 'client' && method === 'tools/call'
}

function custom(method: string, params: unknown): Omit<MethodNode, 'parentId'> {
  const name = storable(method)
  return { nodeId: storable(`mcp:${method}`), kind: 'custom', name, input: params }
}

/** A call without arguments has an empty object of them, so that it can be edited like any other. */
function argumentsOf(params: unknown): unknown {
  return (isFields(params) ? params['arguments'] : undefined) ?? {}
}

function textIn(params: unknown, key: string): string | undefined {
  const value = isFields(params) ? params[key] : undefined
  return typeof value === 'string' ? value : undefined
}
