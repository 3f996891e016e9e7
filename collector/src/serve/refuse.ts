import type { Response } from 'express'
import type { Problem } from '../problem.ts'

/** Answers `{error}` with words for a person. */
export function refuse(response: Response, status: number, error: string): void {
  response.status(status).json({ error })
}

/** Answers a problem as `{error, code, …}`, so that a program can tell one from another. */
export function refuseProblem(response: Response, status: number, { code, message, ...more }: Problem): void {
  response.status(status).json({ error: message, code, ...more })
}
