import type { Envelope, UiClientMessage } from '@graphmind-ai/schema'
import { beforeEach, describe, expect, it } from 'vitest'
import { RUN_ID, runFromText, START } from '../testing/run-from-text.ts'
import { runInfo } from '../testing/run-info.ts'
import type { SocketListener } from './socket.ts'
import { createViewerLink, type ViewerLink } from './viewer-link.ts'

const { envelopes } = runFromText(`
  agent planner    0-
    tool search    10-20
    tool convert   30-  waits:40 at:error`)

/** A collector that says what the test says, and commits that come when the test wants them. */
function connectFake() {
  const sent: UiClientMessage[] = []
  const frames: (() => void)[] = []
  let listener: SocketListener | undefined
  let isUp = true
  let ids = 0
  let nowMs = 1000
  const link = createViewerLink('ws://nowhere', {
    connect(given) {
      listener = given
      return {
        send(text) {
          if (isUp) sent.push(JSON.parse(text) as UiClientMessage)
          return isUp
        },
        retryNow: () => undefined,
        stop: () => undefined,
      }
    },
    clock: {
      now: () => 0,
      hidden: () => false,
      onFrame(callback) {
        frames.push(callback)
        return () => undefined
      },
      after: () => () => undefined,
    },
    nowMs: () => nowMs,
    newId() {
      ids += 1
      return `r${ids}`
    },
  })
  const say = (...messages: object[]) => {
    for (const message of messages) listener?.text(JSON.stringify(message))
    for (const frame of frames.splice(0)) frame()
  }
  return {
    link,
    sent,
    say,
    welcome: () => say({ type: 'welcome', versions: { protocol: 1, server: 'test' }, breakpoints: [{ point: 'error' }], mode: 'run' }),
    drop() {
      isUp = false
      listener?.down(1, 5000)
    },
    comeBack() {
      isUp = true
      sent.length = 0
    },
    setNow(ms: number) {
      nowMs = ms
    },
    takeSent: () => sent.splice(0),
  }
}

const event = (envelope: Envelope | undefined, after = envelope === undefined || envelope.seq === 0 ? null : envelope.seq - 1) => ({
  type: 'event',
  runId: RUN_ID,
  after,
  envelope,
})
const replay = (from = 0, to = envelopes.length) => [
  { type: 'replay.start', runId: RUN_ID, count: to - from },
  ...envelopes.slice(from, to).map((envelope) => event(envelope)),
  { type: 'replay.end', runId: RUN_ID },
]

let fake: ReturnType<typeof connectFake>
let link: ViewerLink
beforeEach(() => {
  fake = connectFake()
  link = fake.link
})
const run = () => link.store.getState().run
const seqs = () => run()?.picture.lastSeq

describe('following a run', () => {
  it('asks for the list and the run once the collector has said welcome', () => {
    link.actions.openRun(RUN_ID)
    expect(fake.sent).toEqual([])
    fake.welcome()
    expect(fake.sent).toEqual([
      { type: 'subscribe', runId: '*' },
      { type: 'subscribe', runId: RUN_ID, batch: true, sheets: true },
    ])
  })

  it('folds the history and says how far it is', () => {
    link.actions.openRun(RUN_ID)
    fake.welcome()
    fake.say(...replay().slice(0, 2))
    expect(run()).toMatchObject({ phase: 'loading' })
    expect(link.store.getState().history).toEqual({ done: 1, total: envelopes.length })
    fake.say(...replay().slice(2))
    expect(run()).toMatchObject({ phase: 'ready' })
    expect(link.store.getState().history).toBeUndefined()
    expect(run()?.picture.instances.size).toBe(3)
  })

  it('shows the beginning of a long history at once, and the rest when it is complete', () => {
    link.actions.openRun(RUN_ID)
    fake.welcome()
    const calls = Array.from({ length: 80 }, (_unused, seq) => {
      const payload = { nodeId: 'tool:search', kind: 'tool', name: 'search', instanceId: `search${seq}` }
      return event({ gm: 1, seq, ts: START + seq, runId: RUN_ID, type: 'node.started', payload })
    })
    const shown = () => [link.store.getState().history?.done, run()?.structure, run()?.toldUntil]
    fake.say({ type: 'replay.start', runId: RUN_ID, count: 80 })
    fake.say(...calls.slice(0, 2))
    expect(shown()).toEqual([2, 2, START + 1])
    fake.say(...calls.slice(2))
    expect(shown()).toEqual([80, 2, START + 1])
    fake.say({ type: 'replay.end', runId: RUN_ID })
    expect(shown()).toEqual([undefined, 80, undefined])
  })

  it('takes many events in one frame, and counts those among them that it can’t read', () => {
    link.actions.openRun(RUN_ID)
    fake.welcome()
    const events = envelopes.map((envelope) => ({ after: envelope.seq === 0 ? null : envelope.seq - 1, envelope }))
    fake.say(
      { type: 'replay.start', runId: RUN_ID, count: 4 },
      { type: 'events', runId: RUN_ID, events: events.slice(0, 4) },
      { type: 'events', runId: 'another', events: events.slice(0, 4) },
      { type: 'replay.end', runId: RUN_ID },
    )
    expect(seqs()).toBe(3)
    fake.say({ type: 'events', runId: RUN_ID, events: [{ after: 3, envelope: {} }, ...events.slice(2)] })
    expect(seqs()).toBe(envelopes.length - 1)
    expect(link.store.getState().unreadable).toBe(1)
  })

  it('comes back after a lost link from where it was, with nothing lost and nothing doubled', () => {
    link.actions.openRun(RUN_ID)
    fake.welcome()
    fake.say(...replay(0, 4))
    fake.drop()
    expect(link.store.getState().link.phase).toBe('offline')
    fake.comeBack()
    fake.welcome()
    expect(fake.sent).toContainEqual({ type: 'subscribe', runId: RUN_ID, batch: true, sheets: true, afterSeq: 3 })
    fake.say(...replay(2))
    expect(seqs()).toBe(envelopes.length - 1)
    expect(run()?.log.get('search1')).toHaveLength(2)
  })

  it('asks again when an event shows that one before it was missed', () => {
    link.actions.openRun(RUN_ID)
    fake.welcome()
    fake.say(...replay(0, 3))
    fake.takeSent()
    fake.say(event(envelopes[5], 4))
    expect(fake.sent).toEqual([
      { type: 'unsubscribe', runId: RUN_ID },
      { type: 'subscribe', runId: RUN_ID, batch: true, sheets: true, afterSeq: 2 },
    ])
    fake.say(event(envelopes[5], 4))
    expect(fake.sent).toHaveLength(2)
    fake.say(...replay(3))
    expect(seqs()).toBe(envelopes.length - 1)
  })

  it('tells a run that is not there, and opens it when it begins', () => {
    link.actions.openRun(RUN_ID)
    fake.welcome()
    fake.say({ type: 'error', code: 'no-such-run', runId: RUN_ID, message: 'There is no run.' })
    expect(run()).toMatchObject({ phase: 'missing', problem: 'There is no run.' })
    fake.takeSent()
    fake.say({ type: 'run.update', run: runInfo() })
    expect(fake.sent).toEqual([{ type: 'subscribe', runId: RUN_ID, batch: true, sheets: true }])
    fake.say(...replay())
    expect(run()?.phase).toBe('ready')
  })

  it('takes a deleted run out of the list, and lists it again when it comes back', () => {
    fake.welcome()
    fake.say({ type: 'runs', runs: [runInfo(), runInfo({ id: 'other' })] })
    fake.say({ type: 'run.removed', runId: 'other' })
    expect([...(link.store.getState().runs?.keys() ?? [])]).toEqual([RUN_ID])
    fake.say({ type: 'run.update', run: runInfo({ id: 'other' }) })
    expect([...(link.store.getState().runs?.keys() ?? [])]).toEqual([RUN_ID, 'other'])
  })

  it('marks what begins while one looks on as fresh, and history not', () => {
    link.actions.openRun(RUN_ID)
    fake.welcome()
    fake.say(...replay(0, 4))
    expect(run()?.fresh).toEqual([])
    fake.say(event(envelopes[4]))
    expect(run()?.fresh).toEqual(['convert1'])
  })

  it('tells that live events come late, but not that history is old', () => {
    link.actions.openRun(RUN_ID)
    fake.setNow(START + 600_000)
    fake.welcome()
    fake.say(...replay(0, 3))
    expect(link.store.getState().behind).toBeUndefined()
    const at = (index: number) => envelopes[index]?.ts ?? 0
    fake.setNow(at(3) + 10)
    fake.say(event(envelopes[3]))
    expect(link.store.getState().behind).toBeUndefined()
    fake.setNow(at(4) + 3010)
    fake.say(event(envelopes[4]))
    expect(link.store.getState().behind).toMatchObject({ ms: 3000 })
    link.actions.openRun(undefined)
    expect(link.store.getState().behind).toBeUndefined()
  })

  it('counts what it can’t read and goes on', () => {
    fake.welcome()
    fake.say({ type: 'event', runId: RUN_ID, envelope: {} }, { type: 'telepathy' })
    expect(link.store.getState().unreadable).toBe(1)
  })
})

describe('commands for a held call', () => {
  const pauseId = 'convert1-pause1'
  const request = () => link.store.getState().requests.get(pauseId)
  const resumed = (payload: object, seq = envelopes.length) =>
    event({
      gm: 1,
      seq,
      ts: 2000,
      runId: RUN_ID,
      type: 'exec.resumed',
      payload: { pauseId, instanceId: 'convert1', nodeId: 'tool:convert', ...payload },
    })

  beforeEach(() => {
    link.actions.openRun(RUN_ID)
    fake.welcome()
    fake.say(...replay())
    fake.takeSent()
  })

  it('are sent once, taken with the agent’s answer, and done when the call goes on', () => {
    link.actions.resume(pauseId, { action: 'inject', output: { amount: 1 } })
    link.actions.resume(pauseId, { action: 'continue' })
    expect(fake.sent).toMatchObject([
      {
        type: 'control',
        envelope: { type: 'exec.resume', runId: RUN_ID, payload: { pauseId, action: 'inject', output: { amount: 1 }, requestId: 'r1' } },
      },
    ])
    fake.say({ type: 'resume.result', runId: RUN_ID, pauseId, requestId: 'r1', outcome: 'resumed' })
    expect(request()?.state).toBe('taken')
    link.actions.resume(pauseId, { action: 'continue' })
    expect(fake.sent).toHaveLength(1)
    fake.say(resumed({ action: 'inject', cause: 'viewer', requestId: 'r1', injected: { output: { amount: 1 } } }))
    expect(request()?.state).toBe('done')
    expect(run()?.notices).toMatchObject([{ mine: true, pause: { pauseId } }])
  })

  it('stay done when the answer comes after the event that the call went on', () => {
    link.actions.resume(pauseId, { action: 'continue' })
    fake.say(resumed({ action: 'continue', cause: 'viewer', requestId: 'r1' }))
    fake.say({ type: 'resume.result', runId: RUN_ID, pauseId, requestId: 'r1', outcome: 'resumed' })
    expect(request()?.state).toBe('done')
  })

  it('can be sent again after a refusal, which says why', () => {
    link.actions.resume(pauseId, { action: 'inject', output: 'nonsense' })
    fake.say({
      type: 'resume.result',
      runId: RUN_ID,
      pauseId,
      requestId: 'r1',
      outcome: 'refused',
      code: 'schema',
      message: 'Must be a number.',
    })
    expect(request()).toMatchObject({ state: 'refused', message: 'Must be a number.' })
    link.actions.resume(pauseId, { action: 'inject', output: 1 })
    expect(request()).toMatchObject({ state: 'sent', requestId: 'r2' })
  })

  it.each([
    ['the collector’s words', { message: 'The program did not answer. The call is still held; try again.' }, /still held; try again/],
    ['words of its own where there are none', {}, /^The agent did not answer\. If the call still waits, send it again\.$/],
  ])('time out with %s when the agent gives no answer, and can be sent again', (_, answer, words) => {
    link.actions.resume(pauseId, { action: 'continue' })
    fake.say({ type: 'resume.result', runId: RUN_ID, pauseId, requestId: 'r1', outcome: 'timeout', ...answer })
    expect(request()).toMatchObject({ state: 'refused', message: expect.stringMatching(words) })
    link.actions.resume(pauseId, { action: 'continue' })
    expect(request()).toMatchObject({ state: 'sent', requestId: 'r2' })
  })

  it('say so when another viewer was first', () => {
    link.actions.resume(pauseId, { action: 'continue' })
    fake.say(resumed({ action: 'abort', cause: 'viewer', requestId: 'theirs' }))
    expect(run()?.notices).toMatchObject([{ mine: false }])
  })

  it('tell a call that was let go because the link was lost', () => {
    fake.say(resumed({ action: 'continue', cause: 'link-lost' }))
    expect(run()?.notices).toMatchObject([{ pause: { released: { cause: 'link-lost' } } }])
    link.actions.dismissNotice(pauseId)
    fake.say()
    expect(run()?.notices).toEqual([])
  })

  it('are not left hanging when the link breaks', () => {
    link.actions.resume(pauseId, { action: 'continue' })
    fake.drop()
    fake.say()
    expect(request()).toMatchObject({ state: 'refused', message: expect.stringContaining('send it again') })
  })

  it('say that they were not sent while there is no link', () => {
    fake.drop()
    link.actions.resume(pauseId, { action: 'continue' })
    fake.say()
    expect(request()).toMatchObject({ state: 'refused', message: expect.stringContaining('Not sent') })
  })
})

it('sets and clears breakpoints and mode for everyone', () => {
  fake.welcome()
  fake.takeSent()
  link.actions.setBreakpoint({ kind: 'tool', point: 'before' })
  link.actions.clearBreakpoint({ point: 'error' })
  link.actions.setMode('step')
  expect(fake.sent).toMatchObject([
    { envelope: { runId: '*', type: 'breakpoint.set', payload: { matcher: { kind: 'tool', point: 'before' } } } },
    { envelope: { runId: '*', type: 'breakpoint.clear', payload: { matcher: { point: 'error' } } } },
    { envelope: { runId: '*', type: 'mode.set', payload: { mode: 'step' } } },
  ])
  fake.say({ type: 'state', breakpoints: [{ kind: 'tool', point: 'before' }], mode: 'step' })
  expect(link.store.getState()).toMatchObject({ breakpoints: [{ kind: 'tool', point: 'before' }], mode: 'step' })
})
