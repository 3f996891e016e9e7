import { createSession, type Session, type SessionOptions } from '@graphmind-ai/client'
import { type Adapter, openAdapter } from '@graphmind-ai/otel/adapter'
import { wrapModel } from './wrap-model.ts'
import { wrapTools } from './wrap-tools.ts'

export interface GraphMindOptions
  extends Pick<
    SessionOptions,
    | 'hideInputs'
    | 'hideOutputs'
    | 'hideToolArgs'
    | 'hideToolResults'
    | 'pauseTimeoutMs'
    | 'breakOnErrorResult'
    | 'breakOnTruncated'
    | 'logger'
    | 'enabled'
    | 'env'
  > {
  /** Name of the program. Default: OTEL_SERVICE_NAME, else the name in its package.json. */
  readonly app?: string
  /** The debugger. Default: GRAPHMIND_URL, else ws://127.0.0.1:4747/ingest. */
  readonly url?: string
}

export interface RunContext {
  readonly runId: string
  readonly name: string
  /** Aborted when a gate of this run is released with `abort`. Pass it into every SDK call. */
  readonly signal: AbortSignal
}

/** The surface that every GraphMind adapter has. */
export interface GraphMind {
  readonly session: Session
  /** Connects now: true once calls can be held, false after `timeoutMs` (2000) and when disabled. Never rejects. */
  ready(options?: { readonly timeoutMs?: number }): Promise<boolean>
  /** The model with gates, tokens and editable calls; the same model when disabled. */
  wrapModel<Model>(model: Model): Model
  /** The tools with gates and editable arguments; the same tools when disabled. */
  wrapTools<Tools>(tools: Tools): Tools
  /** Runs `body` as one run with this name. What it throws is thrown on. */
  run<Result>(name: string, body: (context: RunContext) => Result | Promise<Result>): Promise<Result>
  /** Lets held calls go, sends what is left, and is silent from then on. */
  dispose(): Promise<void>
}

/** Connects a program that uses the AI SDK (`ai` 5 to 7) to the debugger. Under a kill switch everything is handed back untouched. */
export function graphmind(options: GraphMindOptions = {}): GraphMind {
  const env = options.env ?? process.env
  const { app, enabled, ...rest } = options
  const detached = createSession({ ...rest, ...(app === undefined ? {} : { appName: app }), env, enabled: false })
  const adapter = enabled === false ? undefined : openAdapter(processorOptions(options, env))
  return adapter === undefined ? untouched(detached) : attached(adapter, detached)
}

function processorOptions({ app, enabled, url, env: _, ...options }: GraphMindOptions, env: NonNullable<GraphMindOptions['env']>) {
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
  return {
    ...given,
    // A session has to be there at once, so no endpoint is asked what it is.
    url: url ?? (env['GRAPHMIND_URL'] || 'ws://127.0.0.1:4747/ingest'),
    env: enabled === true ? { ...env, GRAPHMIND: '1' } : env,
    ...(app === undefined ? {} : { appName: app }),
  }
}

function untouched(session: Session): GraphMind {
  return {
    session,
    ready: () => Promise.resolve(false),
    wrapModel: (model) => model,
    wrapTools: (tools) => tools,
    run: (name, body) => session.run(name, body),
    dispose: () => session.dispose(),
  }
}

function attached(adapter: Adapter, detached: Session): GraphMind {
  const roster = new Set<string>()
  return {
    get session() {
      return adapter.session ?? detached
    },
    ready: (options) => adapter.processor.ready(options),
    wrapModel: (model) => wrapModel(model, adapter),
    wrapTools: (tools) => wrapTools(tools, adapter, (name) => roster.add(name)),
    run: (name, body) =>
      adapter.run(name, (runId) => {
        const session = adapter.session ?? detached
        if (roster.size > 0) session.emit('graph.hint', { nodes: [...roster].map(hintOf) }, { runId })
        return body({ runId, name, signal: session.runSignal(runId) })
      }),
    dispose: () => adapter.processor.shutdown(),
  }
}

function hintOf(name: string) {
  return { nodeId: `tool:${name}`, kind: 'tool' as const, name }
}
