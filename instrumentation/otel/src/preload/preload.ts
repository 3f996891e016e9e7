import { attachWaitMs } from '../attach-wait.ts'
import { registerGraphMind } from './register-graphmind.ts'

/** Long enough for a debugger on this machine, short enough not to be noticed without one. */
const FIRST_CONNECTION_MS = 300

/** Sets the process up; resolves when calls can be held, or when the wait for the debugger is over. Never rejects. */
export async function preload(): Promise<void> {
  await registerGraphMind().ready({ timeoutMs: attachWaitMs(process.env, FIRST_CONNECTION_MS) })
}
