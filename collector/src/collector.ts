import { createHub, type Hub, type Peer } from '@graphmind-ai/hub'
import type { BreakpointMatcher, RunMode } from '@graphmind-ai/schema'
import type { Express } from 'express'
import type { Kysely } from 'kysely'
import { DemoRuns } from './demo/demo-runs.ts'
import { MAX_BODY_BYTES } from './ingest/inflate.ts'
import type { IngestThread } from './ingest/ingest-thread.ts'
import { type OpenStore, openStore } from './ingest/open-store.ts'
import { ok, type Result } from './problem.ts'
import { type Access, type AgentAccess, createAccess, isLoopback, makeToken } from './serve/access.ts'
import { createApp } from './serve/app.ts'
import { InProcessBus } from './serve/bus.ts'
import { ByteBudget } from './serve/byte-budget.ts'
import { grpcFront } from './serve/grpc.ts'
import { createGuard, type Guard } from './serve/guard.ts'
import { removeLeftUploads } from './serve/import-routes.ts'
import { IngestStats } from './serve/ingest-stats.ts'
import type { ServerLimits } from './serve/listen.ts'
import type { OtlpRoutesOptions } from './serve/otlp-routes.ts'
import { type RunFinder, runFinder } from './serve/run-finder.ts'
import { runStore } from './serve/run-store.ts'
import { RunWatch } from './serve/run-watch.ts'
import { hostsToBind, type ServerSet, startServers } from './serve/server-set.ts'
import { Sockets } from './serve/sockets.ts'
import { openReader } from './store/database.ts'
import type { RetentionPolicy } from './store/library/retention.ts'
import type { Tables } from './store/tables.ts'
import { VERSION } from './version.ts'

export interface CollectorOptions extends ServerLimits {
  /** 0 for any free port. */
  readonly port: number
  /** The address to bind; loopback when absent. One that other machines can reach asks for a token. */
  readonly host?: string
  /** What callers have to show; made at the start when `host` needs one and there is none. */
  readonly token?: string
  /** What this user's agents and commands show, and how far they may control programs. */
  readonly agent?: AgentAccess
  /** False: nobody edits the input of a held call. */
  readonly editInput?: boolean
  /** Database file, or `:memory:` for one that is gone at stop. */
  readonly db: string
  /** Also take 4318 and 4317, the default ports of OTLP/HTTP and OTLP/gRPC, when they are free. */
  readonly otlpPorts?: boolean
  readonly breakpoints?: readonly BreakpointMatcher[]
  readonly mode?: RunMode
  /** How long a run stays `running` after its app's session is gone. */
  readonly abandonGraceMs?: number
  readonly allowedHosts?: readonly string[]
  readonly allowedOrigins?: readonly string[]
  readonly viewerDist?: string
  /** What the store keeps by itself; everything when absent. */
  readonly retention?: RetentionPolicy
  readonly maxBodyBytes?: number
  /** Bytes of bodies that may wait for the store. */
  readonly maxWaitingBytes?: number
}

export interface Collector {
  readonly port: number
  readonly url: string
  /** What callers have to show, if anything. */
  readonly token: string | undefined
  /** `host:port` of everything that is bound. */
  readonly bound: readonly string[]
  /** Lets go of ports, sockets, threads and files; what was accepted is stored. */
  stop(): Promise<void>
}

const DEFAULT_ABANDON_GRACE_MS = 15_000
const APP_SOCKETS = { maxFrameBytes: 16 * 1024 * 1024, maxSockets: 256 }
const VIEWER_SOCKETS = { maxFrameBytes: 16 * 1024 * 1024, maxSockets: 64 }

/**
 * Starts everything in this process but the ingest worker's thread. A problem when the port or the database can't be had. `opening`: the
 * store of `options.db`, for a caller that began to open it while this module was still being loaded.
 */
export async function startCollector(options: CollectorOptions, opening = openStore(options.db)): Promise<Result<Collector>> {
  const store = await opening
  if (!store.ok) return store
  const parts: Parts = { stops: [() => store.value.close()] }
  const started = await compose(options, store.value, parts)
  if (!started.ok) await stopAll(parts)
  return started
}

interface Parts {
  /** In order of start; stopped in reverse. */
  readonly stops: (() => void | Promise<void>)[]
}

async function compose(options: CollectorOptions, store: OpenStore, parts: Parts): Promise<Result<Collector>> {
  const graceMs = options.abandonGraceMs ?? DEFAULT_ABANDON_GRACE_MS
  const { path, ingest } = store
  await removeLeftUploads(uploadsOf(path))
  const database = openReader(path)
  parts.stops.push(() => database.destroy())

  const watch = new RunWatch({
    graceMs,
    nowMs: Date.now,
    steadyMs: () => performance.now(),
    changed: (runId) => bus.republishRun(runId),
    spokenFor: (runId, hide) => void ingest.sessionSpeaksFor(runId, hide),
  })
  const bus = new InProcessBus((runId, on) => ingest.watch(runId, on), watch)
  parts.stops.push(() => bus.stop())
  ingest.onCommitted(({ appended, runs, removed }) => {
    for (const [runId, events] of appended) bus.publish(runId, events)
    for (const row of runs) bus.publishRun(row)
    for (const runId of removed) bus.publishRemoval(runId)
  })
  const sweeper = setInterval(() => sweep(watch, ingest, options.retention), Math.min(5000, Math.max(250, graceMs / 3))).unref()
  parts.stops.push(() => clearInterval(sweeper))

  const find = runFinder(database, { stored: () => hub.settled(), derive: (runId) => ingest.derive(runId) })
  const hub = createHub({
    store: runStore(database, find, watch, (events) => ingest.append(events)),
    bus,
    sessions: watch,
    version: VERSION,
    breakpoints: options.breakpoints ?? [{ point: 'error' }],
    mode: options.mode ?? 'run',
    claimGraceMs: graceMs,
    editInput: options.editInput ?? true,
    log: ({ message }) => console.error(`graphmind: ${message}`),
  })

  const ports = new Set<number>()
  const isReachable = options.host !== undefined && !isLoopback(options.host)
  const token = options.token ?? (isReachable ? makeToken() : undefined)
  const access = createAccess(token, options.agent)
  const guard = createGuard({
    ports: () => ports,
    isReachable,
    allowedHosts: options.allowedHosts ?? [],
    allowedOrigins: options.allowedOrigins ?? [],
  })
  const otlp: OtlpRoutesOptions = {
    take: (request) => ingest.export(request),
    budget: new ByteBudget(options.maxWaitingBytes ?? 2 * MAX_BODY_BYTES),
    stats: new IngestStats(),
    maxBodyBytes: options.maxBodyBytes ?? MAX_BODY_BYTES,
  }
  let servers: ServerSet | undefined
  const demo = new DemoRuns(() => `ws://127.0.0.1:${servers?.port}/ingest`, token)
  const bound = () => servers?.bound ?? []
  const app = appOf(options, { guard, access, token, bound, database, find, watch, bus, hub, ingest, otlp, demo, path })
  const sockets = new Sockets(
    {
      '/ingest': {
        ...APP_SOCKETS,
        admit(headers) {
          const allowed = access.mayReport(headers)
          return allowed.ok ? ok((peer: Peer) => hub.connectApp(peer)) : allowed
        },
      },
      '/ws/ui': {
        ...VIEWER_SOCKETS,
        admit(headers) {
          const caller = access.callerOf(headers)
          if (!caller.ok) return caller
          const { principal, level } = caller.value
          // Whoever sits at a viewer is one, with a token or without.
          return ok((peer: Peer) => hub.connectViewer(peer, { principal: principal === 'agent' ? principal : 'viewer', level }))
        },
      },
    },
    guard,
  )
  parts.stops.push(async () => {
    // Closed first, so that nobody comes in; done last, because a server waits for its upgraded sockets.
    const closed = servers?.stop()
    await demo.stop()
    await hub.dispose()
    sockets.stop()
    await closed
  })
  const started = await startServers({
    app,
    sockets,
    grpc: grpcFront({ ...otlp, guard, access }),
    hosts: hostsToBind(options.host),
    port: options.port,
    ports,
    otlpPorts: options.otlpPorts === true,
    limits: options,
  })
  if (!started.ok) return started
  servers = started.value
  store.announce(servers.port, options.agent?.token ?? token)
  return ok(collectorOf(servers, token, parts))
}

function collectorOf({ port, bound }: ServerSet, token: string | undefined, parts: Parts): Collector {
  return { port, url: `http://127.0.0.1:${port}`, token, bound, stop: () => stopAll(parts) }
}

interface AppParts {
  readonly guard: Guard
  readonly access: Access
  readonly token: string | undefined
  readonly bound: () => readonly string[]
  readonly database: Kysely<Tables>
  readonly find: RunFinder
  readonly watch: RunWatch
  readonly bus: InProcessBus
  readonly hub: Hub
  readonly ingest: IngestThread
  readonly otlp: OtlpRoutesOptions
  readonly demo: DemoRuns
  readonly path: string
}

function appOf(options: CollectorOptions, parts: AppParts): Express {
  const { guard, access, token, bound, database, find, watch, bus, hub, ingest, otlp, demo, path } = parts
  return createApp({
    guard,
    access,
    allowedOrigins: options.allowedOrigins ?? [],
    version: VERSION,
    databasePath: path,
    server: {
      database,
      retention: options.retention,
      storeProblem: () => ingest.problem,
      bound,
      asksForToken: token !== undefined,
      allowedHosts: options.allowedHosts ?? [],
    },
    otlp,
    api: {
      database,
      find,
      liveness: watch,
      debugger: hub,
      onRunUpdate: (listener) => bus.onRunUpdate(listener),
      stats: otlp.stats,
      budget: otlp.budget,
      changeLibrary: (change) => ingest.changeLibrary(change),
    },
    imports: {
      database,
      liveness: watch,
      begin: () => ingest.import(),
      remap: (runId) => ingest.remap(runId),
      waitingPath: uploadsOf(path),
    },
    demo,
    session: { capabilities: hub.capabilities, agentLevel: options.agent?.level ?? 'off' },
    viewerDist: options.viewerDist,
  })
}

function uploadsOf(path: string): string {
  return `${path}.import-`
}

function sweep(watch: RunWatch, ingest: IngestThread, policy: RetentionPolicy | undefined): void {
  const request = watch.sweep()
  if (request === undefined) return
  void ingest.sweep({ ...request, ...(policy === undefined ? {} : { retention: { policy, held: watch.heldIds() } }) })
}

async function stopAll(parts: Parts): Promise<void> {
  for (let stop = parts.stops.pop(); stop !== undefined; stop = parts.stops.pop()) await stop()
}
