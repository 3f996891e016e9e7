import { randomUUID } from 'node:crypto'
import { PASS } from './gate/keeper.ts'
import { LiveSession } from './live-session.ts'
import { resolveOptions, type SessionOptions } from './options.ts'
import { Runs } from './runs.ts'
import type { Session } from './session.ts'
import type { HideSwitches } from './switches.ts'

/** Opens a session; nothing touches the network before the first run, event, gate or `ready()`. */
export function createSession(options: SessionOptions = {}): Session {
  const settings = resolveOptions(options)
  return settings.enabled ? new LiveSession(settings) : disabledSession(settings.hide)
}

function disabledSession(hide: HideSwitches): Session {
  const runs = new Runs(() => undefined)
  return {
    enabled: false,
    senderId: randomUUID(),
    hide,
    attached: false,
    gating: false,
    async run(name, body) {
      const runId = `run_${randomUUID()}`
      const context = { runId, name, signal: runs.signal(runId) }
      try {
        return await runs.enter(context, () => body(context))
      } finally {
        runs.end(runId)
      }
    },
    currentRun: () => runs.current(),
    emit: () => undefined,
    gate: () => PASS,
    mightHold: () => false,
    notePassed: () => undefined,
    runSignal: (runId) => runs.signal(runId),
    endRun: (runId) => runs.end(runId),
    connect: () => undefined,
    ready: () => Promise.resolve(false),
    onAttach: () => () => undefined,
    stats: () => ({ enabled: false, attached: false, buffered: 0, dropped: 0, lost: 0, pendingGaps: 0, heldGates: 0, seq: 0 }),
    dispose: () => Promise.resolve(),
  }
}
