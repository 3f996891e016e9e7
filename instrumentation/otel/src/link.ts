import { createSession, type Session } from '@graphmind-ai/client'
import { type CollectorAddress, findCollector } from './collector-address.ts'
import type { CollectorLine } from './feed/post.ts'
import type { GraphMindSpanProcessorOptions } from './options.ts'
import { untraced } from './untraced.ts'
import { VERSION } from './version.ts'

/** How long an endpoint of another exporter may take to say whether it is a collector; spans wait in the ring meanwhile. */
const HEALTH_MS = 1000

/** The line of control to the collector, and where to send spans. */
export interface Link {
  readonly session: Session
  /** http(s), without a slash at the end. */
  readonly base: string
}

/** What is known before the collector is. */
export interface Opening {
  /** False under a kill switch. */
  readonly enabled: boolean
  readonly hide: Session['hide']
  /** At once, unless an endpoint has to be asked first; undefined under a kill switch. Never rejects. */
  open(line: CollectorLine): Link | Promise<Link> | undefined
}

/** Reads options and environment; nothing touches the network before `open`. */
export function prepareLink(options: GraphMindSpanProcessorOptions): Opening {
  const env = options.env ?? process.env
  const { hideInputs, hideOutputs, hideToolArgs, hideToolResults, pauseTimeoutMs, breakOnErrorResult, breakOnTruncated, logger } = options
  const sessionFor = (url: string | undefined): Session =>
    createSession({
      url,
      env,
      hideInputs,
      hideOutputs,
      hideToolArgs,
      hideToolResults,
      pauseTimeoutMs,
      breakOnErrorResult,
      breakOnTruncated,
      logger,
      appName: options.appName ?? env['OTEL_SERVICE_NAME'],
      sdk: { name: '@graphmind-ai/otel', version: VERSION },
      spans: 'otlp',
      // Also when the connection is made again, from a timer that knows no context.
      untraced,
    })
  const open = ({ channel, base }: CollectorAddress): Link => {
    const session = sessionFor(channel)
    session.connect()
    return { session, base }
  }
  const { enabled, hide } = sessionFor(undefined)
  return {
    enabled,
    hide,
    open(line) {
      if (!enabled) return undefined
      const address = findCollector(options.url, env, (base) => line.getJson(`${base}/health`, HEALTH_MS))
      return address instanceof Promise ? address.then(open) : open(address)
    },
  }
}
