import express, { type ErrorRequestHandler, type Express, type Request, type Response } from 'express'
import type { DemoRuns } from '../demo/demo-runs.ts'
import { failureWords, isStoreFailure } from '../ingest/store-failure.ts'
import type { Access } from './access.ts'
import { type ApiOptions, apiRoutes } from './api-routes.ts'
import { remember } from './caller.ts'
import { cors } from './cors.ts'
import { demoRoutes } from './demo-routes.ts'
import { exportRoutes } from './export-routes.ts'
import type { Guard } from './guard.ts'
import { type ImportRoutesOptions, importRoutes } from './import-routes.ts'
import { type OtlpRoutesOptions, otlpRoutes, refuseExport } from './otlp-routes.ts'
import { securityHeaders } from './security-headers.ts'
import { type ServerRouteOptions, serverRoute } from './server-route.ts'
import { type SessionRouteOptions, sessionRoute } from './session-route.ts'
import { viewerFiles } from './viewer-files.ts'

export interface AppOptions {
  readonly guard: Guard
  readonly access: Access
  /** Lower case; `*` for any. */
  readonly allowedOrigins: readonly string[]
  readonly version: string
  readonly databasePath: string
  readonly server: Omit<ServerRouteOptions, 'version' | 'databasePath' | 'allowedOrigins'>
  readonly otlp: OtlpRoutesOptions
  readonly api: ApiOptions
  readonly imports: ImportRoutesOptions
  readonly demo: DemoRuns
  readonly session: Omit<SessionRouteOptions, 'version'>
  /** Folder of the built viewer; the bundled one when absent. */
  readonly viewerDist: string | undefined
}

/** Everything that speaks HTTP on our port. The guard comes before any route. */
export function createApp({
  guard,
  access,
  allowedOrigins,
  version,
  databasePath,
  server,
  otlp,
  api,
  imports,
  demo,
  session,
  viewerDist,
}: AppOptions): Express {
  const app = express()
  app.disable('x-powered-by')
  // No answer of a route may be kept, so there is nothing to compare: hashing a large one takes as long as reading it. Files have their own.
  app.disable('etag')
  app.set('query parser', 'simple')
  app.use(securityHeaders)
  app.use((request, response, next) => {
    const allowed = guard(request.headers)
    if (allowed.ok) next()
    else refuse(request, response, 403, allowed.problem.message)
  })
  app.use(cors(allowedOrigins))
  app.get('/health', (_request, response) => {
    response.json({ ok: true, name: 'graphmind', version })
  })
  // The viewer's own files tell nothing, and a browser asks for them before its page can show a token.
  app.use('/v1', (request, response, next) => {
    const allowed = access.mayReport(request.headers)
    if (allowed.ok) next()
    else askForToken(request, response, allowed.problem.message)
  })
  app.use('/api', (request, response, next) => {
    const caller = access.callerOf(request.headers)
    if (!caller.ok) return askForToken(request, response, caller.problem.message)
    remember(response, caller.value)
    next()
  })
  app.use(otlpRoutes(otlp))
  app.use('/api', importRoutes(imports))
  app.use('/api', exportRoutes(api.database, api.find))
  app.use('/api', sessionRoute({ version, ...session }))
  app.use('/api', serverRoute({ ...server, version, databasePath, allowedOrigins }))
  app.use('/api', demoRoutes(demo))
  app.use('/api', apiRoutes(api))
  app.use(viewerFiles(viewerDist))
  app.use((request, response) => {
    response.status(404).json({ error: `There is nothing at ${request.path}.` })
  })
  app.use(lastResort(databasePath))
  return app
}

function askForToken(request: Request, response: Response, message: string): void {
  response.setHeader('WWW-Authenticate', 'Bearer')
  refuse(request, response, 401, message)
}

/** Says no in the form that the caller reads: exporters a Status, everybody else our own JSON. */
function refuse(request: Request, response: Response, status: 401 | 403, message: string): void {
  if (request.baseUrl === '/v1' || request.path.startsWith('/v1/')) refuseExport(request, response, status, message)
  else response.status(status).json({ error: message })
}

const lastResort =
  (databasePath: string): ErrorRequestHandler =>
  (error: unknown, request, response, next) => {
    if (response.headersSent) return next(error)
    // Express marks what the client did wrong (a path that does not decode) with its status.
    const status = typeof error === 'object' && error !== null && 'status' in error ? Number(error.status) : 503
    if (status >= 400 && status < 500) {
      response.status(status).json({ error: 'The request could not be understood. Check its path and headers.' })
      return
    }
    if (isStoreFailure(error)) {
      response
        .status(503)
        .setHeader('Retry-After', '1')
        .json({ error: failureWords(error, databasePath) })
      return
    }
    console.error(`graphmind: ${request.method} ${request.path} failed:`, error)
    response.status(503).setHeader('Retry-After', '1').json({ error: 'The server could not answer. Its log has the details.' })
  }
