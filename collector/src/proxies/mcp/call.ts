import { parseExact } from '../exact-json.ts'
import { isFields } from '../json-fields.ts'
import type { RequestId } from './json-rpc.ts'
import type { MethodNode, Sender } from './methods.ts'

/** One request on its way through the proxy. */
export interface Call {
  readonly sender: Sender
  readonly id: RequestId
  readonly method: string
  readonly params: unknown
  readonly node: MethodNode
  readonly instanceId: string
  readonly parentInstanceId: string
  readonly runId: string
  /** Monotonic ms. */
  readonly startedMs: number
  /** 1, and one more each time it was sent again. */
  readonly attempt: number
  readonly isStateless: boolean
  /** The line as it went to the peer. Undefined when it can't be sent again by itself: in a batch, or no longer kept. */
  bytes: Buffer | undefined
  heldMs: number
  /** Aborted when the sender gives the request up. */
  readonly patience: AbortController
}

/** The call in a person's words. */
export function labelOf({ method, id }: Pick<Call, 'method' | 'id'>): string {
  return `${method} #${id}`
}

/**
 * The line of a tool call with other arguments. Name, `_meta` and everything else stay as they were, and so do the arguments that were not
 * edited: `edited` shares their values with `live`.
 */
export function withArguments(line: Buffer, live: unknown, edited: unknown): Buffer {
  const frame = parseExact(line.toString('utf8'))
  if (!isFields(frame) || !isFields(frame['params']) || !isFields(edited)) return line
  const exact = isFields(frame['params']['arguments']) ? frame['params']['arguments'] : {}
  const before = isFields(live) ? live : {}
  const merged = Object.fromEntries(
    Object.entries(edited).map(([key, value]) => [key, key in exact && Object.is(before[key], value) ? exact[key] : value]),
  )
  return Buffer.from(`${JSON.stringify({ ...frame, params: { ...frame['params'], arguments: merged } })}\n`)
}
