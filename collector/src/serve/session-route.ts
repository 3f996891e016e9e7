import { allows, type ControlLevel } from '@graphmind-ai/hub'
import { Router } from 'express'
import { callerOf } from './caller.ts'

export interface SessionRouteOptions {
  readonly version: string
  readonly capabilities: readonly string[]
  /** How far agents and commands may control programs here. */
  readonly agentLevel: ControlLevel
}

/** `GET /api/session`: who the caller is to this server, and what it may do here. */
export function sessionRoute({ version, capabilities, agentLevel }: SessionRouteOptions): Router {
  const router = Router()
  router.get('/session', (_request, response) => {
    const { principal, level } = callerOf(response)
    const editInput = capabilities.includes('edit-input') && allows(level, 'edit')
    response.json({ principal, level, agentLevel, editInput, hubCapabilities: capabilities, version })
  })
  return router
}
