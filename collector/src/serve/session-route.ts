import { HUB_CAPABILITIES } from '@graphmind-ai/hub'
import { Router } from 'express'
import { HTTP_PRINCIPAL } from './pause-routes.ts'

/** `GET /api/session`: who the caller is to this server, and what it may do here. Whoever passes the guard may release and edit calls. */
export function sessionRoute(version: string): Router {
  const router = Router()
  router.get('/session', (_request, response) => {
    response.json({
      principal: HTTP_PRINCIPAL,
      agentLevel: 'control',
      editInput: true,
      hubCapabilities: HUB_CAPABILITIES,
      version,
    })
  })
  return router
}
