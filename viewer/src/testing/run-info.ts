import type { RunInfo } from '@graphmind-ai/schema'
import { RUN_ID, START } from './run-from-text.ts'

/** A row of the runs list with plain values. */
export function runInfo(change: Partial<RunInfo> = {}): RunInfo {
  return {
    id: RUN_ID,
    app: 'test',
    name: 'pictured',
    startedAt: START,
    finishedAt: null,
    durationMs: null,
    heldMs: 0,
    status: 'running',
    schemaVersion: 1,
    source: 'live',
    category: 'agent',
    eventCount: 1,
    errorCount: 0,
    spanCount: 1,
    nodeCount: 1,
    stepCount: 1,
    live: true,
    held: 0,
    models: [],
    kinds: [],
    nodeNames: [],
    pinned: false,
    tags: [],
    traceIds: [RUN_ID],
    ...change,
  }
}
