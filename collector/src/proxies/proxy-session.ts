import { createSession, DEFAULT_URL, type Environment, type Session, viewerAddress } from '@graphmind-ai/client'
import { VERSION } from '../version.ts'
import type { Say } from './say.ts'

/** How long after its start a proxy says whether GraphMind is there. */
const ATTACH_REPORT_MS = 1500

export interface ProxySessionOptions {
  readonly appName: string
  /** Undefined: GRAPHMIND_URL, else the default port. */
  readonly port: number | undefined
  readonly environment: Environment
  readonly say: Say
}

export interface ProxySession {
  readonly session: Session
  /** Where a person resumes what is held. */
  readonly viewer: string
  readonly stop: () => Promise<void>
}

/** Opens the session of a proxy, dials at once, and says about 1.5 s in whether GraphMind is there. */
export function openProxySession({ appName, port, environment, say }: ProxySessionOptions): ProxySession {
  const url = port === undefined ? environment['GRAPHMIND_URL'] || DEFAULT_URL : `ws://127.0.0.1:${port}/ingest`
  const session = createSession({
    url,
    appName,
    sdk: { name: 'graphmind-proxy', version: VERSION },
    env: environment,
    // The session names itself in front of its lines, and so does `say`.
    logger: { warn: (line) => say(line.replace(/^\[graphmind\] /, '')) },
  })
  session.connect()
  const viewer = viewerAddress(url)
  const timer = setTimeout(() => say(attachReport(session, viewer)), ATTACH_REPORT_MS).unref()
  return {
    session,
    viewer,
    async stop() {
      clearTimeout(timer)
      await session.dispose()
    },
  }
}

function attachReport(session: Session, viewer: string): string {
  if (!session.enabled) return 'GraphMind is disabled here: relaying only.'
  if (session.attached) return `attached: watch and resume at ${viewer}`
  return `not attached: no GraphMind at ${viewer}. Relaying; start it with graphmind and it attaches by itself.`
}
