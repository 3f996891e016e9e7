import type { RequestHandler } from 'express'

const ALLOWED = {
  'Access-Control-Allow-Methods': 'GET, POST, PATCH, DELETE',
  'Access-Control-Allow-Headers': 'authorization, content-encoding, content-type',
  'Access-Control-Max-Age': '600',
}

/** Lets pages of the origins that the user named read our answers, such as a web app whose telemetry comes here. All others get no such header. */
export function cors(allowedOrigins: readonly string[]): RequestHandler {
  return (request, response, next) => {
    const { origin } = request.headers
    if (origin === undefined || !(allowedOrigins.includes('*') || allowedOrigins.includes(origin.toLowerCase()))) return next()
    response.setHeader('Access-Control-Allow-Origin', origin)
    response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin')
    response.vary('Origin')
    // A browser asks before it sends, and it asks without a token.
    if (request.method === 'OPTIONS') response.set(ALLOWED).status(204).end()
    else next()
  }
}
