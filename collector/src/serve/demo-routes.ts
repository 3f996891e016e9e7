import { Router } from 'express'
import type { DemoRuns } from '../demo/demo-runs.ts'

const STATUS: { readonly [code: string]: number } = { 'demo-too-many': 429 }

/** `POST /api/demo/start`: plays the recorded demo on this server; answers with the run’s id (design 8). */
export function demoRoutes(demo: DemoRuns): Router {
  const router = Router()
  router
    .route('/demo/start')
    .post(async (_request, response) => {
      const started = await demo.start()
      if (started.ok) response.status(202).json({ runId: started.value })
      else response.status(STATUS[started.problem.code] ?? 503).json({ error: started.problem.message })
    })
    .all((request, response) => {
      response.setHeader('Allow', 'POST')
      response.status(405).json({ error: `The demo is started by POST, not ${request.method}.` })
    })
  return router
}
