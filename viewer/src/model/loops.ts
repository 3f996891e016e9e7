import type { LoopEvidence } from '@graphmind-ai/schema'
import { plural } from './format.ts'

/** What the agent does again and again, in one sentence. */
export function loopWords({ kind, repeats, period = 0, laps = repeats }: LoopEvidence): string {
  if (kind === 'cycle')
    return `The same ${plural(period, 'call')} came ${plural(laps, 'time')} with the same inputs and results, and this one begins them again.`
  if (kind === 'error-repeat') return `The last ${plural(repeats, 'call')} of it failed in the same way.`
  return `The same call came ${plural(repeats, 'time')} with the same input.`
}

/** The calls to look at: a lap, the failures, or the first and the last that are alike. */
export function loopCalls({
  kind,
  instanceIds = [],
  firstInstanceId,
  lastInstanceId,
}: LoopEvidence): readonly { readonly title: string; readonly instanceId: string | undefined }[] {
  if (instanceIds.length === 0) {
    return [
      { title: 'The first', instanceId: firstInstanceId },
      { title: 'The last', instanceId: lastInstanceId },
    ]
  }
  const word = kind === 'error-repeat' ? 'Failure' : 'Call'
  return instanceIds.map((instanceId, at) => ({ title: `${word} ${at + 1}`, instanceId }))
}
