import { readSheet } from '@graphmind-ai/schema'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { FakeApp, FakeUi, hubInMemory, settle, until } from '../../test-support/fake-peers.ts'

/** The hub listens for runs that end. */
const HUB_ALONE = 1
const TRACE = '0af7651916cd43dd8448eb211c80319c'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

describe('a viewer', () => {
  it('is welcomed with the versions and what is armed', () => {
    const { hub } = hubInMemory()
    expect(new FakeUi(hub).messages).toEqual([
      { type: 'welcome', versions: { protocol: 1, server: '0.7.0' }, breakpoints: [{ point: 'error' }], mode: 'run' },
      { type: 'breakpoints', breakpoints: [{ id: '[["point","error"]]', status: 'waiting', reason: 'No program is connected.', hits: 0 }] },
    ])
  })

  it.each([
    ['no JSON', '{'],
    ['no object', '1'],
    ['an unknown type', '{"type":"dance"}'],
    ['a subscription to nothing', '{"type":"subscribe"}'],
    ['a broken afterSeq', '{"type":"subscribe","runId":"r","afterSeq":"1"}'],
    ['a broken batch', '{"type":"subscribe","runId":"r","batch":"yes"}'],
    ['broken sheets', '{"type":"subscribe","runId":"r","sheets":1}'],
    ['a control without an envelope', '{"type":"control"}'],
    [
      'an event as a control',
      '{"type":"control","envelope":{"gm":1,"seq":0,"ts":0,"runId":"r","type":"run.finished","payload":{"status":"ok"}}}',
    ],
    [
      'a control of another protocol',
      '{"type":"control","envelope":{"gm":2,"seq":0,"ts":0,"runId":"*","type":"mode.set","payload":{"mode":"run"}}}',
    ],
    ['a broken control', '{"type":"control","envelope":{"gm":1,"seq":0,"ts":0,"runId":"*","type":"mode.set","payload":{"mode":"fly"}}}'],
  ])('that sends %s is told what is wrong', (_what, text) => {
    const { hub } = hubInMemory()
    const viewer = new FakeUi(hub)
    viewer.sendText(text)
    expect(viewer.received('error')).toMatchObject([{ code: 'bad-message', message: expect.stringMatching(/\.$/) }])
    expect(viewer.peer.closing).toBeUndefined()
  })

  it('is closed when it sends too much at once or too often', () => {
    let nowMs = 0
    const { hub } = hubInMemory({ limits: { viewerFrameBytes: 20, viewerBurstFrames: 2, viewerFramesPerSecond: 1 }, nowMs: () => nowMs })
    const large = new FakeUi(hub)
    large.sendText('x'.repeat(20))
    expect(large.peer.closing).toBeUndefined()
    large.sendText('x'.repeat(21))
    expect(large.peer.closing?.code).toBe(1009)
    const fast = new FakeUi(hub)
    fast.sendText('{}')
    fast.sendText('{}')
    nowMs = 1000
    fast.sendText('{}')
    expect(fast.peer.closing).toBeUndefined()
    fast.sendText('{}')
    expect(fast.peer.closing?.code).toBe(1008)
  })
})

describe('following a run', () => {
  it('gives everything stored, then everything new, with no gap and nothing twice', async () => {
    const { hub, store } = hubInMemory()
    await store.fill(TRACE, 8)
    const viewer = new FakeUi(hub)
    // Events arrive between any two pages: before they are read, and after.
    store.betweenPages = () => store.fill(TRACE, 1)
    viewer.subscribe(TRACE)
    await until(() => viewer.received('replay.end').length === 1)
    store.betweenPages = () => Promise.resolve()
    await store.fill(TRACE, 2)
    await settle()
    expect(viewer.seqs).toEqual([...store.events(TRACE).keys()])
    expect(viewer.received('replay.start')).toEqual([{ type: 'replay.start', runId: TRACE, count: 8 }])
    expect(viewer.received('event').map(({ after }) => after)).toEqual([null, ...viewer.seqs.slice(0, -1)])
  })

  it('gives many events in one frame to a viewer that asked for it, history and live', async () => {
    const { hub, store } = hubInMemory()
    await store.fill(TRACE, 8)
    const viewer = new FakeUi(hub)
    viewer.send({ type: 'subscribe', runId: TRACE, batch: true })
    await until(() => viewer.received('replay.end').length === 1)
    await store.fill(TRACE, 1)
    const frames = viewer.received('events')
    expect(viewer.received('event')).toEqual([])
    expect(frames.length).toBeLessThan(5)
    const events = frames.flatMap(({ events }) => events)
    expect(events.map(({ envelope }) => envelope)).toEqual(store.envelopes(TRACE))
    expect(events.map(({ after }) => after)).toEqual([null, 0, 1, 2, 3, 4, 5, 6, 7])
    expect(viewer.messages.slice(2).map(({ type }) => type)).toEqual([
      'replay.start',
      ...frames.slice(1).map(() => 'events'),
      'replay.end',
      'events',
    ])
  })

  it('does not let a frame of many events grow without end', async () => {
    const { hub, store } = hubInMemory()
    const output = 'x'.repeat(100_000)
    await store.append(
      [0, 1, 2, 3].map((seq) => ({ runId: TRACE, origin: `${seq}`, seq, ts: 1, type: 'node.finished', payload: { output } })),
    )
    const viewer = new FakeUi(hub)
    viewer.send({ type: 'subscribe', runId: TRACE, batch: true })
    await until(() => viewer.received('replay.end').length === 1)
    expect(viewer.received('events').map(({ events }) => events.length)).toEqual([3, 1])
  })

  it('does not repeat an event whose announcement comes later than the read that had it', async () => {
    const { hub, store } = hubInMemory()
    await store.fill(TRACE, 2)
    const late: (() => void)[] = []
    const subscribe = store.subscribe.bind(store)
    store.subscribe = (runId, listener) => subscribe(runId, (events) => late.push(() => listener(events)))
    const read = store.history.bind(store)
    store.history = async (runId, wish) => {
      await store.fill(TRACE, 1)
      return read(runId, wish)
    }
    const viewer = new FakeUi(hub)
    viewer.subscribe(TRACE)
    const reader = new FakeUi(hub)
    reader.send({ type: 'subscribe', runId: TRACE, sheets: true })
    await until(() => viewer.received('replay.end').length === 1 && reader.received('replay.end').length === 1)
    for (const announce of late.splice(0)) announce()
    await store.fill(TRACE, 1)
    for (const announce of late.splice(0)) announce()
    expect(viewer.seqs).toEqual([0, 1, 2, 3])
    const sheets = reader.received('sheet').map(({ after, seq, rows }) => [after, seq, rows.length])
    expect([sheets, reader.seqs]).toEqual([[[null, 0, 3]], [3]])
  })

  it.each([true, false])('lets others have their turn while it reads a long history (sheets: %s)', async (sheets) => {
    const { hub, store } = hubInMemory()
    await store.fill(TRACE, 1800)
    const viewer = new FakeUi(hub)
    viewer.send({ type: 'subscribe', runId: TRACE, batch: true, sheets })
    let turns = 0
    await until(() => {
      turns += 1
      return viewer.received('replay.end').length === 1
    })
    expect(turns).toBeGreaterThan(3)
  })

  it('gives the history as the store keeps it to a viewer that reads sheets, and what comes then as events', async () => {
    const { hub, store } = hubInMemory()
    await store.fill(TRACE, 4)
    const viewer = new FakeUi(hub)
    viewer.send({ type: 'subscribe', runId: TRACE, batch: true, sheets: true })
    await until(() => viewer.received('replay.end').length === 1)
    await store.fill(TRACE, 1)
    expect(viewer.messages.slice(2).map(({ type }) => type)).toEqual(['replay.start', 'sheet', 'sheet', 'replay.end', 'events'])
    const read = viewer.received('sheet').flatMap((sheet) => readSheet(TRACE, { ...sheet }) ?? [])
    expect([...read, ...viewer.received('events').flatMap(({ events }) => events.map(({ envelope }) => envelope))]).toEqual(
      store.envelopes(TRACE),
    )
  })

  it('starts after the number that the viewer already has', async () => {
    const { hub, store } = hubInMemory()
    await store.fill(TRACE, 6)
    const viewer = new FakeUi(hub)
    viewer.subscribe(TRACE, 3)
    await until(() => viewer.received('replay.end').length === 1)
    expect(viewer.seqs).toEqual([4, 5])
    expect(viewer.received('replay.start')[0]?.count).toBe(2)
  })

  it('replays nothing when asked a second time, but answers', async () => {
    const { hub, store } = hubInMemory()
    await store.fill(TRACE, 2)
    const viewer = new FakeUi(hub)
    viewer.subscribe(TRACE)
    await until(() => viewer.received('replay.end').length === 1)
    viewer.subscribe(TRACE)
    await settle()
    expect(viewer.seqs).toEqual([0, 1])
    expect(viewer.received('replay.start').map(({ count }) => count)).toEqual([2, 0])
    expect(viewer.received('replay.end')).toHaveLength(2)
  })

  it('stops when the viewer says so or goes away, in the middle of a replay as well', async () => {
    const { hub, store } = hubInMemory()
    await store.fill(TRACE, 9)
    const [leaving, gone] = [new FakeUi(hub), new FakeUi(hub)]
    let pages = 0
    store.betweenPages = async () => {
      pages += 1
      if (pages !== 2) return
      leaving.send({ type: 'unsubscribe', runId: TRACE })
      gone.disconnect()
    }
    leaving.subscribe(TRACE)
    gone.subscribe(TRACE)
    await settle()
    await store.fill(TRACE, 1)
    await settle()
    expect(leaving.seqs.length).toBeLessThan(9)
    expect(leaving.received('replay.end')).toEqual([])
    expect(gone.seqs.length).toBeLessThan(9)
    expect(store.listening).toBe(HUB_ALONE)
  })

  it('of an unknown run, or one that can’t be read, is answered with an error and can be tried again', async () => {
    const { hub, store } = hubInMemory()
    const viewer = new FakeUi(hub)
    viewer.subscribe('nobody')
    await until(() => viewer.received('error').length === 1)
    expect(viewer.received('error')[0]).toMatchObject({ code: 'no-such-run', runId: 'nobody' })
    await store.fill(TRACE, 1)
    store.failure = new Error('disk gone')
    viewer.subscribe(TRACE)
    await until(() => viewer.received('error').length === 2)
    expect(viewer.received('error')[1]?.message).toContain('disk gone')
    store.failure = undefined
    viewer.subscribe(TRACE)
    await until(() => viewer.received('replay.end').length === 1)
    expect(viewer.seqs).toEqual([0])
  })

  it('is bounded in number', async () => {
    const { hub, store } = hubInMemory({ limits: { viewerSubscriptions: 2 } })
    for (const runId of ['a', 'b', 'c']) await store.fill(runId, 1)
    const viewer = new FakeUi(hub)
    viewer.subscribe('a')
    viewer.subscribe('b')
    await until(() => viewer.received('replay.end').length === 2)
    expect(viewer.received('error')).toEqual([])
    viewer.subscribe('c')
    expect(viewer.received('error')).toMatchObject([{ runId: 'c', message: expect.stringContaining('At most 2') }])
  })

  it('sends exactly what was stored, unknown events and all', async () => {
    const { hub, store } = hubInMemory()
    const app = new FakeApp(hub).hello()
    app.sendText(JSON.stringify({ gm: 1, seq: 3, ts: 5, runId: 'run_1', type: 'future.event', payload: { any: ['thing', null] } }))
    await until(() => store.events('run_1').length === 1)
    const viewer = new FakeUi(hub)
    viewer.subscribe('run_1')
    await until(() => viewer.received('replay.end').length === 1)
    expect(viewer.received('event')[0]?.envelope).toEqual(store.envelopes('run_1')[0])
  })
})

describe('a slow viewer', () => {
  const limits = { viewerBehindBytes: 100, viewerDrainedBytes: 10, viewerWaitingEvents: 4 }

  it('gets nothing while its socket is full, then what it missed', async () => {
    const { hub, store } = hubInMemory({ limits })
    await store.fill(TRACE, 2)
    const viewer = new FakeUi(hub)
    viewer.subscribe(TRACE)
    await until(() => viewer.received('replay.end').length === 1)
    viewer.peer.bufferedBytes = 101
    await store.fill(TRACE, 50)
    await settle()
    expect(viewer.seqs).toEqual([0, 1])
    viewer.peer.bufferedBytes = 11
    vi.advanceTimersByTime(1000)
    await settle()
    expect(viewer.seqs).toEqual([0, 1])
    viewer.peer.bufferedBytes = 10
    vi.advanceTimersByTime(1000)
    await until(() => viewer.received('replay.end').length === 2)
    await store.fill(TRACE, 1)
    await settle()
    expect(viewer.seqs).toEqual([...store.events(TRACE).keys()])
    expect(viewer.received('replay.start')[1]?.count).toBe(50)
  })

  it('reads on from the store when more happens during a replay than is kept for it', async () => {
    const { hub, store } = hubInMemory({ limits })
    await store.fill(TRACE, 6)
    let pages = 0
    store.betweenPages = async () => {
      pages += 1
      if (pages <= 2) await store.fill(TRACE, 6)
    }
    const viewer = new FakeUi(hub)
    viewer.subscribe(TRACE)
    await until(() => viewer.received('replay.end').length === 1)
    await store.fill(TRACE, 1)
    await settle()
    expect(viewer.seqs).toEqual([...store.events(TRACE).keys()])
    expect(viewer.received('replay.start')).toHaveLength(1)
  })

  it('is not fed a long replay faster than it reads', async () => {
    const { hub, store } = hubInMemory({ limits })
    await store.fill(TRACE, 9)
    const viewer = new FakeUi(hub)
    viewer.peer.bufferedBytes = 101
    viewer.subscribe(TRACE)
    await settle()
    expect(viewer.seqs).toEqual([0, 1, 2])
    viewer.peer.bufferedBytes = 0
    vi.advanceTimersByTime(1000)
    await until(() => viewer.received('replay.end').length === 1)
    expect(viewer.seqs).toHaveLength(9)
  })

  it('gets several pages of a long replay each time its socket has drained', async () => {
    const { hub, store } = hubInMemory({ limits })
    await store.fill(TRACE, 30)
    const viewer = new FakeUi(hub)
    viewer.peer.bufferedBytes = 101
    viewer.subscribe(TRACE)
    await settle()
    const first = viewer.seqs.length
    viewer.peer.bufferedBytes = 11
    vi.advanceTimersByTime(1000)
    await settle()
    expect(viewer.seqs).toHaveLength(first)
    viewer.peer.bufferedBytes = 10
    store.betweenPages = async () => {
      viewer.peer.bufferedBytes += 20
    }
    vi.advanceTimersByTime(25)
    await settle()
    expect(viewer.seqs.length - first).toBeGreaterThanOrEqual(12)
    viewer.peer.bufferedBytes = 0
    vi.advanceTimersByTime(1000)
    await until(() => viewer.received('replay.end').length === 1)
  })

  it('gets the last state of each run in the list, not every one', async () => {
    const { hub, store } = hubInMemory({ limits })
    await store.fill('a', 1)
    const viewer = new FakeUi(hub)
    viewer.subscribe('*')
    await until(() => viewer.received('runs').length === 1)
    store.updateRun('a')
    expect(viewer.received('run.update')).toHaveLength(1)
    viewer.peer.bufferedBytes = 101
    for (let index = 0; index < 5; index += 1) store.updateRun('a')
    await store.fill('b', 1)
    viewer.peer.bufferedBytes = 0
    vi.advanceTimersByTime(1000)
    await until(() => viewer.received('run.update').length >= 3)
    expect(viewer.received('run.update').map(({ run }) => run.id)).toEqual(['a', 'a', 'b'])
  })
})

describe('the list of runs', () => {
  it('is a snapshot, then changes', async () => {
    const { hub, store } = hubInMemory()
    await store.fill('a', 1)
    const viewer = new FakeUi(hub)
    viewer.subscribe('*')
    await until(() => viewer.received('runs').length === 1)
    await store.fill('b', 1)
    expect(viewer.messages.slice(2).map((message) => message.type)).toEqual(['runs', 'run.update'])
    viewer.send({ type: 'unsubscribe', runId: '*' })
    await store.fill('c', 1)
    expect(viewer.received('run.update')).toHaveLength(1)
    expect(store.listening).toBe(HUB_ALONE)
  })

  it('tells of a run that was deleted, also a viewer that was slow to hear of it', async () => {
    const { hub, store } = hubInMemory({ limits: { viewerBehindBytes: 100, viewerDrainedBytes: 10 } })
    await store.fill('a', 1)
    const viewer = new FakeUi(hub)
    viewer.subscribe('*')
    await until(() => viewer.received('runs').length === 1)
    viewer.peer.bufferedBytes = 101
    store.updateRun('a')
    store.removeRun('a')
    viewer.peer.bufferedBytes = 0
    vi.advanceTimersByTime(1000)
    await until(() => viewer.received('run.removed').length === 1)
    expect(viewer.received('run.update')).toEqual([])
  })

  it('says when it can’t be read', async () => {
    const { hub, store } = hubInMemory()
    store.failure = new Error('disk gone')
    const viewer = new FakeUi(hub)
    viewer.subscribe('*')
    await until(() => viewer.received('error').length === 1)
    expect(store.listening).toBe(HUB_ALONE)
  })
})
