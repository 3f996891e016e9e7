import type { Envelope, RunInfo } from '@graphmind-ai/schema'
import { expect, it, vi } from 'vitest'
import { createViewerLink } from '../link/viewer-link.ts'
import { recordedConnection } from './recorded-connection.ts'

const RUN = 'run-1'
const info: RunInfo = {
  ...{
    id: RUN,
    app: 'app',
    name: 'trip',
    startedAt: 1,
    finishedAt: 9,
    durationMs: 8,
    heldMs: 0,
    status: 'ok',
    schemaVersion: 1,
    source: 'live',
    category: 'agent',
  },
  ...{
    eventCount: 1201,
    errorCount: 0,
    spanCount: 0,
    nodeCount: 1,
    live: false,
    held: 0,
    models: [],
    kinds: [],
    nodeNames: [],
    traceIds: [],
    pinned: false,
    tags: [],
  },
}
const envelopes: Envelope[] = [
  { gm: 1, seq: 0, ts: 1, runId: RUN, type: 'node.started', payload: { nodeId: 'tool:x', kind: 'tool', name: 'x', instanceId: 'c' } },
  // Holes in seq are no gaps.
  ...Array.from({ length: 1200 }, (_, at) => ({
    ...{ gm: 1 as const, seq: 5 + at * 2, ts: 2, runId: RUN, type: 'node.token' },
    payload: { nodeId: 'tool:x', instanceId: 'c', deltas: [{ t: 'text', v: 'a' }] },
  })),
]

it('shows the run as a collector would, over several frames, and sends no command', async () => {
  const link = createViewerLink('', { connect: recordedConnection({ info, writtenAt: 0, version: '1', envelopes }) })
  link.actions.openRun(RUN)
  await vi.waitFor(() => expect(link.store.getState().run?.phase).toBe('ready'))
  const { run, runs, unreadable } = link.store.getState()
  expect(run?.picture.instances.get('c')?.stream?.text).toBe('a'.repeat(1200))
  expect(run?.picture.gaps).toEqual([])
  expect([...(runs?.keys() ?? [])]).toEqual([RUN])
  expect(unreadable).toBe(0)
  link.actions.setMode('step')
  expect(link.store.getState().mode).toBe('run')
  link.stop()
})
