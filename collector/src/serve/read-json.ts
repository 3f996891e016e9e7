import type { Request } from 'express'
import { failed, ok, type Problem, type Result } from '../problem.ts'
import type { ByteBudget } from './byte-budget.ts'
import { announcedBytes, readBody } from './read-body.ts'

/** Status of each problem of `readJson`. */
const STATUS = { 'not-json': 400, 'too-large': 413, 'media-type': 415, busy: 503 } as const
type Code = keyof typeof STATUS

/** The JSON body of a command. A form or a plain text can be sent by any page, and JSON can't without asking first: so it must say it is JSON. */
export async function readJson(request: Request, maxBytes: number, budget: ByteBudget): Promise<Result<unknown>> {
  if (!request.is('application/json')) return problem('media-type', 'Send the command as JSON, with Content-Type: application/json.')
  const body = await readBody(request, announcedBytes(request), maxBytes, budget)
  if (body.outcome === 'too-large') return problem('too-large', `A command may have at most ${maxBytes} bytes.`)
  if (body.outcome !== 'read') return problem('busy', 'The server is busy. Try again.')
  try {
    return ok(JSON.parse(Buffer.from(body.body).toString('utf8')))
  } catch {
    return problem('not-json', 'The command is not JSON.')
  } finally {
    body.done()
  }
}

/** The HTTP status for a problem with a command's body; 400 for what is wrong in it. */
export function statusOfBody({ code }: Problem): number {
  return Object.hasOwn(STATUS, code) ? STATUS[code as Code] : 400
}

function problem(code: Code, message: string): ReturnType<typeof failed> {
  return failed(code, message)
}
