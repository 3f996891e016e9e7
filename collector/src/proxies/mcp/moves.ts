import type { ResumeAction } from '@graphmind-ai/schema'

/** What is held: a request before its peer sees it, an answer (good or bad) before the requester sees it, or a notification. */
export type Held = 'request' | 'answer' | 'notification'

/** What is done with it. */
export type Move =
  /** The bytes that arrived go on. */
  | 'forward'
  /** The sender of the request gets an answer made of the injected value; nothing else goes on. */
  | 'answer'
  /** The injected value goes on in its place. */
  | 'replace'
  /** The original request is sent again, and the answer to that one counts. */
  | 'resend'
  /** The requester gets the abort error. */
  | 'refuse'
  /** Nothing goes on. */
  | 'swallow'

export const MOVES: { readonly [What in Held]: { readonly [Action in ResumeAction]: Move } } = {
  request: { continue: 'forward', inject: 'answer', retry: 'forward', abort: 'refuse' },
  answer: { continue: 'forward', inject: 'answer', retry: 'resend', abort: 'refuse' },
  notification: { continue: 'forward', inject: 'replace', retry: 'forward', abort: 'swallow' },
}

/** The JSON-RPC error that an aborted request gets. */
export const ABORTED = { code: -32099, message: 'Aborted in GraphMind' } as const
