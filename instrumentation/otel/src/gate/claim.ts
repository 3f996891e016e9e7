import { AsyncLocalStorage } from 'node:async_hooks'
import type { GateSite } from './gate-site.ts'

type Claim = Pick<GateSite, 'runId' | 'nodeId' | 'kind' | 'toolCallId'>

const claims = new AsyncLocalStorage<Claim | undefined>()

/** Runs a call's work so that a gate inside which stands for the same call knows that it has been held already. */
export function claimed<Result>(site: Claim, work: () => Result): Result {
  // A span that nobody knows stands for no call of a framework: a tool in it may be the one around it.
  return site.kind === 'custom' ? work() : claims.run(site, work)
}

/** Runs work that is a call of its own, e.g. an agent inside a tool: what is in it may be held again. */
export function unclaimed<Result>(work: () => Result): Result {
  return claims.getStore() === undefined ? work() : claims.run(undefined, work)
}

/** True when a gate further out already stands for this call: a model call directly in a model call, a tool directly in the same tool. */
export function isClaimed(site: Claim): boolean {
  const outer = claims.getStore()
  if (outer === undefined || outer.runId !== site.runId || outer.kind !== site.kind) return false
  if (outer.toolCallId !== undefined && site.toolCallId !== undefined) return outer.toolCallId === site.toolCallId
  return outer.nodeId === site.nodeId
}
