import { Router } from 'express'
import type { Kysely } from 'kysely'
import type { RetentionPolicy } from '../store/library/retention.ts'
import type { Tables } from '../store/tables.ts'
import { readStoreState } from './store-state.ts'

export interface ServerRouteOptions {
  readonly version: string
  readonly database: Kysely<Tables>
  readonly databasePath: string
  readonly retention: RetentionPolicy | undefined
  /** Why the store could not take what came last. */
  readonly storeProblem: () => string | undefined
  /** `host:port` of everything that is bound. */
  readonly bound: () => readonly string[]
  readonly asksForToken: boolean
  readonly allowedHosts: readonly string[]
  readonly allowedOrigins: readonly string[]
}

/** `GET /api/server`: what this server is, where it keeps runs and for how long, and who may talk to it. No secret is in it. */
export function serverRoute(options: ServerRouteOptions): Router {
  const router = Router()
  router.get('/server', async (_request, response) => {
    const { version, database, databasePath, retention, storeProblem, bound, asksForToken, allowedHosts, allowedOrigins } = options
    response.json({
      version,
      node: process.versions.node,
      bound: bound(),
      asksForToken,
      allowedHosts,
      allowedOrigins,
      store: await readStoreState(database, databasePath, retention, storeProblem()),
      retention: retention ?? null,
    })
  })
  return router
}
