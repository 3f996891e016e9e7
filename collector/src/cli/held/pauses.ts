import type { PauseInfo } from '@graphmind-ai/schema'
import { failed, ok, type Result } from '../../problem.ts'
import type { Cli } from '../cli.ts'
import { controlLevel, needServerApi, refusalOf, type ServerApi, type ServerFlags } from '../server/server-api.ts'
import { table } from '../show/table.ts'
import { ago } from '../show/times.ts'

export interface PausesFlags extends ServerFlags {
  readonly run?: string
  readonly json?: boolean
}

/** `graphmind pauses`: the calls that are held now. */
export async function pauses(flags: PausesFlags, { console, environment }: Cli): Promise<Result<undefined>> {
  const server = await needServerApi(flags, environment)
  if (!server.ok) return server
  const held = await heldCalls(server.value, flags.run)
  if (!held.ok) return held
  if (flags.json === true) {
    console.out(JSON.stringify({ pauses: held.value.map(pauseRow) }))
  } else if (held.value.length === 0) {
    console.out('Nothing is held. graphmind wait waits until something is.')
  } else {
    const rows = held.value.map(pauseRow)
    const cells = rows.map((row) => [row.runId, row.pauseId, row.node, row.point, reasonWords(row), row.state, ago(row.since, Date.now())])
    console.out(table(['RUN', 'PAUSE', 'NODE', 'POINT', 'REASON', 'STATE', 'SINCE'], cells))
    const mayResume = (await controlLevel(server.value)) !== 'off'
    console.out(
      `\nNext: ${mayResume ? 'graphmind resume <PAUSE> --action continue, retry, inject or abort; or the viewer' : 'let them go in the viewer'}, ${server.value.url}`,
    )
  }
  return ok(undefined)
}

/** The held calls of a run, or of all; with `waitSeconds` the answer comes when there is one, or when that time is over. */
export async function heldCalls(server: ServerApi, run: string | undefined, waitSeconds = 0): Promise<Result<readonly PauseInfo[]>> {
  const query = new URLSearchParams({ ...(run === undefined ? {} : { runId: run }), wait: String(waitSeconds) })
  const answer = await server.ask(`/api/pauses?${query}`, { timeoutMs: (waitSeconds + 10) * 1000 })
  if (!answer.ok) return answer
  if (answer.value.status !== 200) return failed('pauses', refusalOf(answer.value))
  return ok((answer.value.body as { readonly pauses: readonly PauseInfo[] }).pauses)
}

/** What scripts get of a held call. */
export function pauseRow({ runId, pauseId, nodeId, point, state, since, payload }: PauseInfo) {
  const { reason, actions } = payload
  const why = whyOf(payload)
  return {
    runId,
    pauseId,
    node: nodeId,
    point,
    reason: typeof reason === 'string' ? reason : 'breakpoint',
    ...(why === undefined ? {} : { why }),
    state,
    since,
    ...(Array.isArray(actions) ? { actions: actions.filter((action) => typeof action === 'string') } : {}),
  }
}

/** “loop: cycle”, or the reason alone where nothing finer is known. */
export function reasonWords({ reason, why }: { readonly reason: string; readonly why?: string }): string {
  return why === undefined ? reason : `${reason}: ${why}`
}

/** The kind of loop, or the agent’s own rule that held; undefined for every other hold. */
function whyOf({ loop, smart }: PauseInfo['payload']): string | undefined {
  if (typeof loop === 'object' && loop !== null) return textIn(loop, 'kind') ?? 'repeat'
  return typeof smart === 'object' && smart !== null ? textIn(smart, 'rule') : undefined
}

function textIn(fields: object, name: string): string | undefined {
  const value = (fields as Readonly<Record<string, unknown>>)[name]
  return typeof value === 'string' ? value : undefined
}
