import type { RunInfo } from '@graphmind-ai/schema'

/** The runs in which more calls are held than before. Nothing is news before the first list. */
export function newlyHeld(
  before: ReadonlyMap<string, RunInfo> | undefined,
  now: ReadonlyMap<string, RunInfo> | undefined,
): readonly RunInfo[] {
  if (before === undefined || now === undefined) return []
  return [...now.values()].filter((run) => run.held > (before.get(run.id)?.held ?? 0))
}
