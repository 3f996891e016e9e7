import { type BreakpointMatcher, createEnvelope, WILDCARD_RUN_ID } from '@graphmind-ai/schema'
import { eventually } from './eventually.ts'

/** Sets or clears breakpoints as a viewer does; resolves once the collector has them. */
export async function tellBreakpoints(
  url: string,
  type: 'breakpoint.set' | 'breakpoint.clear',
  matchers: readonly BreakpointMatcher[],
): Promise<void> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws/ui`)
  await new Promise((resolve) => socket.addEventListener('open', resolve, { once: true }))
  for (const matcher of matchers) {
    const envelope = createEnvelope(type, { matcher }, { runId: WILDCARD_RUN_ID, seq: 0, ts: Date.now() })
    socket.send(JSON.stringify({ type: 'control', envelope }))
  }
  const wanted = type === 'breakpoint.set'
  await eventually(async () => {
    const answer = (await (await fetch(`${url}/api/breakpoints`)).json()) as { readonly breakpoints: readonly BreakpointMatcher[] }
    const set = answer.breakpoints.map(({ point, kind }) => `${point} ${String(kind)}`)
    return matchers.every(({ point, kind }) => set.includes(`${point} ${String(kind)}`) === wanted) ? true : undefined
  }, type)
  socket.close()
}
