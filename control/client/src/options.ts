import type { SdkInfo } from '@graphmind-ai/schema'
import { readSmartSettings, type SmartSettings } from './gate/smart.ts'
import type { WebSocketConstructor } from './link/socket.ts'
import { type LoopGuardOptions, type LoopSettings, readLoopSettings } from './loop/settings.ts'
import type { Logger } from './record/warnings.ts'
import { type Environment, type HideOptions, type HideSwitches, isEnabled, isOn, readHideSwitches } from './switches.ts'
import { CLIENT_VERSION } from './version.ts'

/** Longer timers fire at once in Node. */
const MAX_TIMER_MS = 2 ** 31 - 1

/** Where a debugger on this machine listens. */
export const DEFAULT_URL = 'ws://127.0.0.1:4747/ingest'

export type Untraced = <Result>(work: () => Result) => Result

export interface SessionOptions extends HideOptions {
  /** The debugger's address; GRAPHMIND_URL, or ws://127.0.0.1:4747/ingest. */
  readonly url?: string | undefined
  /** What the debugger asks its callers for; GRAPHMIND_TOKEN. Off loopback it always asks. */
  readonly token?: string | undefined
  readonly appName?: string | undefined
  /** The instrumented framework. */
  readonly sdk?: SdkInfo | undefined
  /** Goes into run.started. */
  readonly meta?: Readonly<Record<string, unknown>> | undefined
  /** Overrides the NODE_ENV rule; GRAPHMIND_DISABLED still wins. */
  readonly enabled?: boolean | undefined
  /** `otlp`: the nodes of this program arrive as spans, so the hub numbers the events of its runs. */
  readonly spans?: 'otlp' | undefined
  readonly connectTimeoutMs?: number | undefined
  readonly handshakeTimeoutMs?: number | undefined
  /** Steady wait between tries to connect. */
  readonly retryIntervalMs?: number | undefined
  /** Events kept for a debugger that attaches later. */
  readonly bufferSize?: number | undefined
  /** Second bound of the same buffer, in bytes. */
  readonly maxBufferBytes?: number | undefined
  /** Held calls go on by themselves after this many ms; for ever when absent. */
  readonly pauseTimeoutMs?: number | undefined
  /** Held calls go on by themselves after this many ms without any viewer connected; for ever when absent. */
  readonly unwatchedHoldMs?: number | undefined
  /** When identical calls in a row are held; `false` for never. */
  readonly loopGuard?: LoopGuardOptions | false | undefined
  /** Whether a tool's result that says that it failed is held; true. GRAPHMIND_BREAK_ON_ERROR_RESULT beats it. */
  readonly breakOnErrorResult?: boolean | undefined
  /** Whether a model's answer that was cut off while it asked for tools is held; true. GRAPHMIND_BREAK_ON_TRUNCATED beats it. */
  readonly breakOnTruncated?: boolean | undefined
  /** A standard WebSocket class to use in place of `ws`. */
  readonly webSocket?: WebSocketConstructor | undefined
  /** Runs what makes a connection where the program's own instrumentations trace nothing. */
  readonly untraced?: Untraced | undefined
  readonly logger?: Logger | undefined
  /** Shortest time between two warnings of one kind. */
  readonly warnIntervalMs?: number | undefined
  /** Read in place of process.env. */
  readonly env?: Environment | undefined
}

export interface Settings {
  readonly enabled: boolean
  readonly url: string
  readonly token: string | undefined
  readonly appName: string
  readonly sdk: SdkInfo
  readonly meta: Readonly<Record<string, unknown>>
  readonly spans: 'otlp' | undefined
  readonly hide: HideSwitches
  readonly allowEdits: boolean
  readonly times: { readonly connectTimeoutMs: number; readonly handshakeTimeoutMs: number; readonly retryIntervalMs: number }
  readonly buffer: { readonly frames: number; readonly bytes: number }
  readonly pauseTimeoutMs: number | undefined
  readonly unwatchedHoldMs: number | undefined
  readonly loop: LoopSettings | undefined
  readonly smart: SmartSettings
  readonly webSocket: WebSocketConstructor | undefined
  readonly untraced: Untraced
  readonly logger: Logger
  readonly warnIntervalMs: number
}

/** Options, environment and defaults in one. Numbers that are none, or negative, fall back to the default. */
export function resolveOptions(options: SessionOptions): Settings {
  const environment = options.env ?? process.env
  return {
    enabled: isEnabled(options.enabled, environment),
    url: options.url ?? (environment['GRAPHMIND_URL'] || DEFAULT_URL),
    token: options.token ?? (environment['GRAPHMIND_TOKEN'] || undefined),
    appName: options.appName ?? 'app',
    sdk: options.sdk ?? { name: '@graphmind-ai/client', version: CLIENT_VERSION },
    meta: options.meta ?? {},
    spans: options.spans,
    hide: readHideSwitches(options, environment),
    allowEdits: !isOn(environment['GRAPHMIND_DISABLE_EDIT_INPUT']),
    times: {
      connectTimeoutMs: numberOr(options.connectTimeoutMs, 300),
      handshakeTimeoutMs: numberOr(options.handshakeTimeoutMs, 1000),
      retryIntervalMs: numberOr(options.retryIntervalMs, 10_000),
    },
    buffer: { frames: numberOr(options.bufferSize, 5000), bytes: numberOr(options.maxBufferBytes, 8 * 1024 * 1024) },
    pauseTimeoutMs: limitOf(options.pauseTimeoutMs),
    unwatchedHoldMs: limitOf(options.unwatchedHoldMs),
    loop: readLoopSettings(options.loopGuard, environment),
    smart: readSmartSettings(options, environment),
    webSocket: options.webSocket,
    untraced: options.untraced ?? ((work) => work()),
    logger: options.logger ?? console,
    warnIntervalMs: numberOr(options.warnIntervalMs, 60_000),
  }
}

/** A limit on holds: none when it is not set, or set to no time at all in disguise (NaN, a negative number, Infinity). */
function limitOf(ms: number | undefined): number | undefined {
  return ms !== undefined && Number.isFinite(ms) && ms >= 0 ? Math.min(ms, MAX_TIMER_MS) : undefined
}

function numberOr(value: number | undefined, fallback: number): number {
  return value !== undefined && Number.isFinite(value) && value >= 0 ? value : fallback
}
