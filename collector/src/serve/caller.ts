import type { Caller } from '@graphmind-ai/hub'
import type { Response } from 'express'

const callers = new WeakMap<Response, Caller>()

/** Keeps who asked, for the route that answers. */
export function remember(response: Response, caller: Caller): void {
  callers.set(response, caller)
}

/** Who asked for this answer. Throws for a route that is not behind the access check. */
export function callerOf(response: Response): Caller {
  const caller = callers.get(response)
  if (caller === undefined) throw new Error('Nobody looked at who asks here.')
  return caller
}
