import { breakpointHit } from './breakpoint-hit.ts'
import { execPaused } from './exec-paused.ts'
import { execRefused } from './exec-refused.ts'
import { execResumed } from './exec-resumed.ts'
import { graphHint } from './graph-hint.ts'
import { hello } from './hello.ts'
import { nodeError } from './node-error.ts'
import { nodeFinished } from './node-finished.ts'
import { nodeStarted } from './node-started.ts'
import { nodeToken } from './node-token.ts'
import { runFinished } from './run-finished.ts'
import { runStarted } from './run-started.ts'

/** Everything an app may say. One file each; a new event is one line here. */
export const EVENTS = [
  hello,
  runStarted,
  runFinished,
  graphHint,
  nodeStarted,
  nodeToken,
  nodeFinished,
  nodeError,
  execPaused,
  execResumed,
  execRefused,
  breakpointHit,
] as const
