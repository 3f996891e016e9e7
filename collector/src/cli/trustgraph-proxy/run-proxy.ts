import { failed, ok, type Result } from '../../problem.ts'
import { sayingTo } from '../../proxies/say.ts'
import { startTrustGraphProxy } from '../../proxies/trustgraph/trustgraph-proxy.ts'
import type { Cli } from '../cli.ts'
import { readList, readPort } from '../settings.ts'

const DEFAULT_LISTEN = 4748

export interface TrustGraphFlags {
  readonly upstream: string
  readonly listen?: string
  readonly port?: string
}

/** Relays until it is interrupted. */
export async function trustGraphProxy({ upstream: address, ...flags }: TrustGraphFlags, cli: Cli): Promise<Result<undefined>> {
  const port = readPort(flags.port)
  if (!port.ok) return port
  const listen = flags.listen === undefined ? ok(DEFAULT_LISTEN) : readPort(flags.listen, '--listen')
  if (!listen.ok) return listen
  const upstream = readUpstream(address)
  if (!upstream.ok) return upstream
  const { console, environment } = cli
  const interrupted = cli.interrupted()
  const started = await startTrustGraphProxy({
    upstream: upstream.value,
    listen: listen.value,
    port: flags.port === undefined ? undefined : port.value,
    allowedOrigins: readList(environment['GRAPHMIND_ALLOWED_ORIGINS']),
    environment,
    say: sayingTo(console.err),
  })
  if (!started.ok) return started
  // Host and path only: a token in the address stays unsaid.
  console.err(
    `TrustGraph clients connect to ws://127.0.0.1:${started.value.port}${upstream.value.pathname} in place of ${upstream.value.host}`,
  )
  await interrupted
  await started.value.stop()
  return ok(undefined)
}

function readUpstream(address: string): Result<URL> {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url !== undefined && (url.protocol === 'ws:' || url.protocol === 'wss:') && url.hash === '') return ok(url)
  return failed('upstream', '--upstream takes the address of a WebSocket, like ws://localhost:8088/api/v1/socket.')
}
