import { createEnvelope, REDACTED, runUsage } from '@graphmind-ai/schema'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeLogs } from '../otlp/decode-logs.ts'
import { canonical } from '../testing/assembly.ts'
import { copiesOf, shape } from '../testing/random-traces.ts'
import { decodeSpan, spanId, type TestSpan, TRACE } from '../testing/spans.ts'
import { TestStore } from '../testing/store.ts'

describe('the row of a run', () => {
  it('counts an error and tokens only where they turned out to belong', () => {
    const store = new TestStore()
    const tokens = (input: number) => ({ 'gen_ai.usage.input_tokens': input, 'gen_ai.usage.output_tokens': 1 })
    const inner: TestSpan = { id: 3, parent: 2, type: 'llm', start: 2, end: 7, error: 'overloaded', attributes: tokens(7) }
    store.add({ id: 1, type: 'agent', phase: 'start' }, { id: 2, parent: 1, type: 'llm', start: 1, phase: 'start' }, inner)
    expect([store.run()['error_count'], store.picture().instances.size]).toEqual([0, 2])
    store.add({ id: 2, parent: 1, type: 'llm', start: 1, end: 8, attributes: tokens(30), phase: 'end' })
    expect(store.run()['error_count']).toBe(1)
    expect(JSON.parse(String(store.run()['usage']))).toMatchObject({ inputTokens: 37, outputTokens: 2 })
  })

  it.each([
    ['9007199254740991', '1e17'],
    ['9223372036854775807', '1e300'],
  ])('can be read again when %s tokens and a hold of %s ms were told', (tokens, held) => {
    const store = new TestStore()
    const heldMs = Number(held)
    const usage = { inputTokens: Number(tokens), outputTokens: 102 }
    const at = { runId: 'vast', ts: store.nowMs }
    const events = [
      createEnvelope('node.started', { nodeId: 'llm:m', kind: 'llm', name: 'm', instanceId: 'm' }, { ...at, seq: 0 }),
      createEnvelope(
        'node.finished',
        { nodeId: 'llm:m', instanceId: 'm', status: 'ok', durationMs: heldMs, heldMs, usage },
        { ...at, seq: 1 },
      ),
    ]
    store.ingest.commit(() => {
      for (const envelope of events) store.ingest.addImportedEvent(envelope)
    })
    const row = store.run('vast')
    expect(row['tokens']).toBe(Number(tokens) + 102)
    expect(row['held_ms']).toBeLessThanOrEqual(Number.MAX_SAFE_INTEGER)
    store.restarted().commit(() => store.ingest.deriveAll('vast'))
  })
})

describe('Ingest', () => {
  it('goes on where it was after a restart between any two spans', () => {
    fc.assert(
      fc.property(fc.array(shape, { minLength: 1, maxLength: 8 }), (shapes) => {
        const copies = copiesOf(shapes)
        const steady = new TestStore()
        const restarting = new TestStore()
        for (const copy of copies) {
          steady.add(copy)
          restarting.restarted()
          restarting.add(copy)
        }
        expect(canonical(restarting.picture())).toEqual(canonical(steady.picture()))
        const count = restarting.events().length
        restarting.restarted()
        restarting.add(...copies)
        expect(restarting.events().length).toBe(count)
      }),
      { numRuns: 60 },
    )
  })

  it('goes on where it was after the run was packed between any two spans', () => {
    fc.assert(
      fc.property(fc.array(shape, { minLength: 1, maxLength: 8 }), (shapes) => {
        const copies = copiesOf(shapes)
        const steady = new TestStore()
        const packing = new TestStore()
        for (const copy of copies) {
          steady.add(copy)
          packing.add(copy)
          packing.pack()
        }
        expect(canonical(packing.picture())).toEqual(canonical(steady.picture()))
        expect(packing.run()['span_count']).toBe(steady.run()['span_count'])
        const count = packing.events().length
        packing.add(...copies)
        expect(packing.events().length).toBe(count)
      }),
      { numRuns: 40 },
    )
  })

  it('keeps the row of the runs list in step with what the events tell', () => {
    fc.assert(
      fc.property(fc.array(shape, { minLength: 1, maxLength: 10 }), (shapes) => {
        const store = new TestStore()
        store.add(...copiesOf(shapes))
        const picture = store.picture()
        const row = store.run()
        const instances = [...picture.instances.values()]
        expect(row['status']).toBe(picture.status)
        expect(row['node_count']).toBe(new Set(instances.map((instance) => instance.nodeId)).size)
        expect(row['error_count']).toBe(instances.filter((instance) => instance.errors.length > 0).length)
        expect(row['span_count']).toBe(shapes.length)
        expect(row['event_count']).toBe(store.events().length)
        expect(row['started_at']).toBe(picture.startedAt)
        expect(row['usage'] === null ? undefined : JSON.parse(String(row['usage']))).toEqual(runUsage(picture))
      }),
      { numRuns: 60 },
    )
  })

  it('sequences trace runs without holes, and announces each event with the seq before it', () => {
    const store = new TestStore()
    const { appended } = store.add({ id: 1, type: 'agent', end: 9 }, { id: 2, parent: 1, type: 'tool', start: 1, end: 5 })
    const events = appended.get(TRACE) ?? []
    expect(events.map((event) => event.seq)).toEqual(events.map((_event, index) => index))
    expect(events.map((event) => event.after)).toEqual(events.map((_event, index) => (index === 0 ? null : index - 1)))
  })

  it('drops a channel event whose origin came before, and counts no seq for it', () => {
    const store = new TestStore()
    const event = {
      runId: TRACE,
      origin: 's-1:4',
      seq: undefined,
      ts: 5,
      type: 'exec.paused',
      payload: { pauseId: 'p', nodeId: 'tool:a', point: 'error' },
    }
    store.ingest.commit(() => store.ingest.addChannelEvent(event))
    store.ingest.commit(() => store.ingest.addChannelEvent(event))
    store.ingest.commit(() => store.ingest.addChannelEvent({ ...event, origin: 's-1:5' }))
    expect(store.events().map((stored) => [stored.seq, stored.origin])).toEqual([
      [0, 's-1:4'],
      [1, 's-1:5'],
    ])
  })

  it('keeps the seq of a run that its client sequences, also when an earlier one comes late', () => {
    const store = new TestStore()
    const event = (seq: number) => ({
      runId: 'run-1',
      origin: `s:${seq}`,
      seq,
      ts: seq,
      type: 'node.token',
      payload: { nodeId: 'llm:step', deltas: [] },
    })
    const added = [3, 7, 5, 7].flatMap((seq) => {
      const { appended } = store.ingest.commit(() => store.ingest.addChannelEvent(event(seq)))
      return (appended.get('run-1') ?? []).map((stored) => [stored.seq, stored.after])
    })
    expect(added).toEqual([
      [3, null],
      [7, 3],
      [5, 3],
    ])
  })

  it('says where a hidden span belongs when the channel names it', () => {
    const store = new TestStore()
    store.add({ id: 1, type: 'agent', name: 'boss', end: 9 }, { id: 2, parent: 1, type: 'web', start: 1, end: 8 })
    const paused = {
      pauseId: 'p',
      nodeId: 'tool:x',
      point: 'before',
      kind: 'tool',
      name: 'x',
      instanceId: 'ffffffffffffffff',
      parentInstanceId: '0000000000000002',
    }
    store.ingest.commit(() =>
      store.ingest.addChannelEvent({ runId: TRACE, origin: 's:1', seq: undefined, ts: 5, type: 'exec.paused', payload: paused }),
    )
    expect(store.picture().aliases.get('0000000000000002')).toBe('0000000000000001')
  })

  it('leaves nothing behind of a part that throws, and goes on with the rest', () => {
    const store = new TestStore()
    const { appended, runs } = store.ingest.commit(() => {
      store.ingest.part(() => store.ingest.addSpan(decodeSpan({ id: 1, type: 'agent', end: 9 })))
      expect(() =>
        store.ingest.part(() => {
          store.ingest.addSpan(decodeSpan({ id: 2, parent: 1, type: 'tool', start: 1, end: 5 }))
          store.ingest.addSpan(decodeSpan({ id: 3, trace: 'f'.repeat(32), end: 5 }))
          throw new Error('broken')
        }),
      ).toThrow('broken')
    })
    expect([...appended.keys()]).toEqual([TRACE])
    expect(runs.map((run) => [run.id, run.span_count])).toEqual([[TRACE, 1]])
    expect(store.picture().instances.size).toBe(1)
    store.add({ id: 2, parent: 1, type: 'tool', start: 1, end: 5 })
    expect(store.picture().instances.size).toBe(2)
    expect(store.run()['span_count']).toBe(2)
  })

  it('forgets a deleted run, and begins it anew when more of it comes', () => {
    const store = new TestStore()
    store.add({ id: 1, type: 'agent', end: 9 })
    const { removed, runs } = store.ingest.commit(() => {
      expect(store.ingest.library.delete(TRACE, { forever: true })).toEqual({ ok: true, value: { restorableUntil: null } })
    })
    expect([removed, runs]).toEqual([[TRACE], []])
    store.tidy()
    store.add({ id: 2, parent: 1, type: 'tool', start: 1, end: 5 })
    expect(store.run()['span_count']).toBe(1)
  })
})

describe('Ingest.sweep', () => {
  const sweep = (store: TestStore, quietMs: number, except: readonly string[] = []) =>
    store.ingest.commit(() =>
      store.ingest.sweep({ sessionQuietBefore: store.nowMs - quietMs, spansQuietBefore: store.nowMs - quietMs, except }),
    )

  it('gives up a quiet run with an open span, and revives it when something comes', () => {
    const store = new TestStore()
    store.add({ id: 1, type: 'agent', start: 0, phase: 'start' }, { id: 2, parent: 1, type: 'tool', start: 3, end: 5 })
    store.nowMs += 60_000
    sweep(store, 60_001)
    expect(store.run()['status']).toBe('running')
    sweep(store, 1_000, [TRACE])
    expect(store.run()['status']).toBe('running')
    sweep(store, 1_000)
    const lastEvent = Math.max(...store.events().map((event) => event.ts))
    expect([store.run()['status'], store.run()['finished_at']]).toEqual(['abandoned', lastEvent])
    store.restarted()
    store.add({ id: 3, parent: 1, type: 'tool', start: 6, end: 7 })
    expect([store.run()['status'], store.run()['finished_at']]).toEqual(['running', null])
  })

  it.each<[string, (store: TestStore) => unknown]>([
    ['packed', ({ ingest }) => ingest.packing.packNext()],
    ['mapped anew', ({ ingest }) => ingest.remap(TRACE)],
  ])('believes the end that an abandoned run comes to in the very commit in which it is %s', (_what, interfere) => {
    const store = new TestStore()
    store.add({ id: 1, type: 'agent', phase: 'start' })
    store.nowMs += 60_000
    sweep(store, 1_000)
    store.nowMs += 60_000
    const end = { runId: TRACE, origin: 's:1', seq: undefined, ts: store.nowMs, type: 'run.finished', payload: { status: 'ok' } }
    store.ingest.commit(() => {
      store.ingest.addChannelEvent(end)
      interfere(store)
    })
    expect([store.run()['status'], store.run()['finished_at']]).toEqual(['ok', end.ts])
    store.pack()
    expect([store.run()['status'], store.picture().status]).toEqual(['ok', 'ok'])
  })

  it('lets the topmost spans decide when the root never came and nothing is open', () => {
    const store = new TestStore()
    store.add({ id: 2, parent: 1, type: 'tool', start: 3, end: 5 }, { id: 3, parent: 1, type: 'tool', start: 6, end: 8, error: 'broke' })
    store.nowMs += 60_000
    sweep(store, 1_000)
    expect([store.run()['status'], store.picture().status]).toEqual(['error', 'error'])
    store.add({ id: 4, parent: 1, type: 'tool', start: 9, end: 10 })
    expect([store.run()['status'], store.picture().status]).toEqual(['running', 'running'])
    store.add({ id: 1, type: 'agent', start: 0, end: 11 })
    expect([store.run()['status'], store.picture().status]).toEqual(['ok', 'ok'])
  })

  it('waits longer for runs that no session ever spoke for', () => {
    const store = new TestStore()
    store.add({ id: 1, type: 'agent', phase: 'start' })
    store.nowMs += 60_000
    const request = { sessionQuietBefore: store.nowMs - 1_000, spansQuietBefore: store.nowMs - 600_000, except: [] }
    store.ingest.commit(() => store.ingest.sweep(request))
    expect(store.run()['status']).toBe('running')
    store.ingest.commit(() => store.ingest.sessionSpeaksFor(TRACE, []))
    store.ingest.commit(() => store.ingest.sweep(request))
    expect(store.run()['status']).toBe('abandoned')
  })
})

describe('redaction switches of a session', () => {
  const secret: TestSpan = {
    id: 2,
    parent: 1,
    type: 'tool',
    name: 'find',
    start: 1,
    end: 2,
    attributes: { 'gen_ai.tool.call.arguments': '{"q":"hush"}', 'gen_ai.tool.call.id': 'call-1', 'app.note': 'hush' },
  }
  const chat: TestSpan = { id: 3, parent: 1, type: 'llm', start: 3, end: 4, attributes: { 'gen_ai.output.messages': '"hush"' } }
  const boss: TestSpan = { id: 1, type: 'agent', name: 'boss', end: 9 }
  const everything = (store: TestStore) => JSON.stringify([store.events(), store.database.prepare('SELECT * FROM spans').all()])

  it('hold for copies of any sender, whether the session or the span comes first', () => {
    const early = new TestStore()
    early.ingest.commit(() => early.ingest.sessionSpeaksFor(TRACE, ['hideInputs']))
    early.add(boss, secret, chat)
    const late = new TestStore()
    late.add(boss, secret, chat)
    expect(everything(late)).toContain('hush')
    late.ingest.commit(() => late.ingest.sessionSpeaksFor(TRACE, ['hideInputs']))
    late.restarted()
    late.add({ ...secret, id: 4 })
    for (const store of [early, late]) {
      expect(everything(store)).not.toContain('hush')
      expect([...store.picture().instances.values()].find((instance) => instance.name === 'find')).toMatchObject({
        toolCallId: 'call-1',
        status: 'ok',
      })
    }
  })

  it('say of values that they are hidden, and not that nobody recorded them', () => {
    const store = new TestStore()
    store.ingest.commit(() => store.ingest.sessionSpeaksFor(TRACE, ['hideInputs']))
    store.add(boss, secret, { ...chat, error: 'overloaded' })
    const told = [...store.picture().instances.values()].map(({ name, input, output }) => ({ name, input, output }))
    expect(told).toEqual([
      { name: 'boss', input: REDACTED, output: REDACTED },
      { name: 'find', input: REDACTED, output: REDACTED },
      { name: 'step', input: REDACTED, output: undefined },
    ])
    const tools = new TestStore()
    tools.ingest.commit(() => tools.ingest.sessionSpeaksFor(TRACE, ['hideToolResults']))
    tools.add(boss, secret)
    expect([...tools.picture().instances.values()].map(({ input }) => input)).toEqual([undefined, REDACTED])
  })

  it('hold for log records as well, whether they come before the session, before their span or after both', () => {
    const record = {
      traceId: TRACE,
      spanId: spanId(3),
      timeUnixNano: '1767225600003000000',
      eventName: 'gen_ai.user.message',
      body: { kvlistValue: { values: [{ key: 'content', value: { stringValue: 'hush' } }] } },
      attributes: [{ key: 'gen_ai.system', value: { stringValue: 'openai' } }],
    }
    const decoded = decodeLogs(Buffer.from(JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords: [record] }] }] })), 'json')
    if (!decoded.ok) throw new Error(decoded.problem.message)
    const log = (store: TestStore) =>
      store.ingest.commit(() => {
        for (const one of decoded.value.logs) store.ingest.addLog(one)
      })
    const hide = (store: TestStore) => store.ingest.commit(() => store.ingest.sessionSpeaksFor(TRACE, ['hideInputs']))
    const spans = (store: TestStore) => store.add(boss, { id: 3, parent: 1, type: 'llm', start: 3, end: 4 })
    const plain = new TestStore()
    for (const step of [log, spans]) step(plain)
    expect(everything(plain)).toContain('hush')
    for (const order of [
      [log, spans, hide],
      [log, hide, spans],
      [spans, log, hide],
      [hide, spans, log],
    ]) {
      const store = new TestStore()
      for (const step of order) step(store)
      log(store)
      store.restarted()
      spans(store)
      expect(everything(store) + JSON.stringify(store.database.prepare('SELECT * FROM logs').all())).not.toContain('hush')
    }
  })

  it('that concern tools leave model calls alone', () => {
    const store = new TestStore()
    store.ingest.commit(() => store.ingest.sessionSpeaksFor(TRACE, ['hideToolArgs']))
    store.add(boss, secret)
    expect(everything(store)).not.toContain('hush')
    store.add(chat)
    expect(everything(store)).toContain('hush')
  })

  it('that concern tools also hold for what only the messages of a model call tell of a tool', () => {
    const json = (value: unknown) => JSON.stringify(value)
    const asks: TestSpan = {
      id: 3,
      parent: 1,
      type: 'llm',
      start: 0,
      end: 1,
      attributes: {
        'gen_ai.output.messages': json([
          { role: 'assistant', parts: [{ type: 'tool_call', id: 'call-1', name: 'find', arguments: { q: 'hush' } }] },
        ]),
      },
    }
    const tool: TestSpan = { ...secret, attributes: { 'gen_ai.tool.call.id': 'call-1' } }
    const told: TestSpan = {
      id: 4,
      parent: 1,
      type: 'llm',
      start: 3,
      end: 4,
      attributes: {
        'gen_ai.input.messages': json([{ role: 'tool', parts: [{ type: 'tool_call_response', id: 'call-1', response: 'hush too' }] }]),
      },
    }
    const find = (store: TestStore) => [...store.picture().instances.values()].find(({ name }) => name === 'find')
    const open = new TestStore()
    open.add(boss, asks, tool, told)
    expect(find(open)).toMatchObject({ input: { q: 'hush' }, output: 'hush too' })
    const hide = (store: TestStore) => store.ingest.commit(() => store.ingest.sessionSpeaksFor(TRACE, ['hideToolArgs', 'hideToolResults']))
    const early = new TestStore()
    hide(early)
    early.add(boss, asks, tool, told)
    const late = new TestStore()
    late.add(boss, asks, tool)
    hide(late)
    late.restarted().commit(() => late.ingest.addSpan(decodeSpan(told)))
    early.ingest.commit(() => {
      early.ingest.remap(TRACE)
    })
    for (const store of [early, late]) expect(find(store)).toMatchObject({ input: '__REDACTED__', output: '__REDACTED__' })
  })

  it('that nobody has switched on change nothing', () => {
    const store = new TestStore()
    store.ingest.commit(() => store.ingest.sessionSpeaksFor(TRACE, []))
    store.add(boss, secret)
    expect(everything(store)).toContain('hush')
  })
})
