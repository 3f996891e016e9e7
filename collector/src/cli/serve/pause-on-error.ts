import { type BreakpointMatcher, NODE_KINDS, type NodeKind } from '@graphmind-ai/schema'
import { failed, ok, type Result } from '../../problem.ts'

// The kinds the contract names for this option; the MCP kinds never fail by themselves.
const ERROR_KINDS = NODE_KINDS.filter((kind) => !['server', 'resource', 'prompt'].includes(kind))

/** What `--pause-on-error` or GRAPHMIND_PAUSE_ON_ERROR arms: `on`, `off`, or one node kind. Anything else is refused, never guessed. */
export function pauseOnError(value: string): Result<readonly BreakpointMatcher[]> {
  const word = value.trim().toLowerCase()
  if (word === 'on') return ok([{ point: 'error' }])
  if (word === 'off') return ok([])
  if ((ERROR_KINDS as readonly string[]).includes(word)) return ok([{ kind: word as NodeKind, point: 'error' }])
  return failed('pause-on-error', `--pause-on-error takes on, off or a node kind (${ERROR_KINDS.join(', ')}), not "${value}".`)
}

export function describePauseOnError(breakpoints: readonly BreakpointMatcher[]): string {
  const [matcher] = breakpoints
  if (matcher === undefined) return 'Pause on error: off'
  return matcher.kind === undefined ? 'Pause on error: on, at every node' : `Pause on error: on, at ${matcher.kind} nodes`
}
