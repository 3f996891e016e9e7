import type { PausePoint } from '@graphmind-ai/schema'
import type { Say } from './say.ts'

/** When a hold is mentioned again, ms after it began; then every minute. Whoever waits sees a hung server and looks here. */
const REMINDERS_MS = [10_000, 30_000, 60_000] as const
const EVERY_MS = 60_000

export interface Notice {
  /** The call goes on; says so, with what was done and how long it had waited. */
  readonly ended: (outcome: string) => void
}

/** Says what is held, for how long and where to resume it. Times are monotonic ms. Reminders don't keep the process alive. */
export function holdNotices(say: Say, viewer: string, nowMs: () => number): (call: string, point: PausePoint) => Notice {
  return (call, point) => {
    const since = nowMs()
    const held = `${call} at the ${point} gate`
    say(`HOLDING ${held} — resume it in ${viewer}`)
    let reminders = 0
    let timer = remindAfter(REMINDERS_MS[0])
    function remindAfter(ms: number): NodeJS.Timeout {
      return setTimeout(remind, ms).unref()
    }
    function remind(): void {
      say(`STILL HOLDING ${held}, for ${seconds(nowMs() - since)} — resume it in ${viewer}`)
      const [last, next] = [REMINDERS_MS[reminders], REMINDERS_MS[reminders + 1]]
      reminders += 1
      timer = remindAfter(last === undefined || next === undefined ? EVERY_MS : next - last)
    }
    return {
      ended(outcome) {
        clearTimeout(timer)
        say(`RELEASED ${held} after ${seconds(nowMs() - since)}: ${outcome}`)
      },
    }
  }
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}
