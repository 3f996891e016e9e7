import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createSession, type GateDecision, type Session } from '@graphmind-ai/client'
import { afterEach, describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { root } from '../support/process.ts'
import type { Frame } from './support/peer.ts'
import { newTraceId, Server, type Viewer } from './support/server.ts'

// The scenes of test/cases/24-control-holds, played step by step: our client as the program, a raw socket as the viewer.

interface Step {
  readonly do: string
  readonly as?: string
  readonly node?: string
  readonly id?: string
  readonly call?: string
  readonly calls?: readonly string[]
  readonly input?: Frame
  readonly editInput?: Frame
  readonly expect?: string
  readonly state?: string
  readonly times?: number
  readonly distinctIds?: boolean
  readonly origin?: string | null
}

const scenario = JSON.parse(readFileSync(join(root, 'test', 'cases', '24-control-holds', 'scenario.json'), 'utf8')) as {
  readonly scenes: readonly { readonly name: string; readonly steps: readonly Step[] }[]
}

const open: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

/** One instrumented call: it runs with its input as soon as its gate lets it. */
interface Call {
  readonly ranWith: unknown[]
}

/** A fresh product, and what each step of a scene does to it. */
class Stage {
  readonly #server = new Server()
  readonly #viewers = new Map<string, Viewer>()
  readonly #calls = new Map<string, Call>()
  readonly #runId = newTraceId()
  #session: Session | undefined

  async start(): Promise<void> {
    await this.#server.start(['--pause-on-error', 'off'])
    open.push(() => this.#server.stop())
    this.#session = createSession({
      url: `${this.#server.url.replace('http', 'ws')}/ingest`,
      spans: 'otlp',
      env: {},
      logger: { warn: () => undefined },
    })
    const session = this.#session
    open.push(() => session.dispose())
    expect(await session.ready()).toBe(true)
  }

  async play(step: Step): Promise<void> {
    switch (step.do) {
      case 'viewer.connect': {
        const viewer = await this.#server.viewer()
        this.#viewers.set(step.as ?? '', viewer)
        return
      }
      case 'viewer.disconnect':
        return await this.#viewer(step).cut()
      case 'viewer.setBreakpoint':
        return await this.#setBreakpoint(step)
      case 'viewer.expectHeld':
        return await this.#expectHeld(step)
      case 'viewer.resume':
        return await this.#resume(step)
      case 'agent.call':
        return await this.#call(step)
      case 'agent.expect':
        return await this.#expectCall(step)
      case 'ws.upgrade':
        return await this.#upgrade(step)
      case 'wait':
        // The scene lets time pass so that a hold could get lost; a round trip over every part says the same without a clock.
        expect((await this.#server.get('/health')).status).toBe(200)
        return
      default:
        throw new Error(`The scene has a step that this player does not know: ${step.do}.`)
    }
  }

  async #setBreakpoint(step: Step): Promise<void> {
    const [kind, name] = (step.node ?? '').split(':')
    const viewer = this.#viewer(step)
    await viewer.change('breakpoint.set', { matcher: { kind, name } })
    // The app has it when something that was sent to it later has come back: a hold of its own.
    await this.#roundTrip(viewer)
  }

  async #roundTrip(viewer: Viewer): Promise<void> {
    const session = this.#session as Session
    await viewer.change('breakpoint.set', { matcher: { kind: 'custom', name: 'round trip' } })
    await eventually(async () => {
      const gate = session.gate('before', { nodeId: 'custom:round trip', kind: 'custom', name: 'round trip' }, { runId: this.#runId })
      const isHeld = session.stats().heldGates > 0
      if (!isHeld) return undefined
      const [pause] = await eventually(async () => {
        const pauses = await this.#pauses()
        return pauses.length > 0 ? pauses : undefined
      }, 'the hold of the round trip')
      viewer.resume(this.#runId, { pauseId: pause?.['pauseId'], action: 'continue' })
      await gate
      return true
    }, 'the breakpoint to reach the program')
    await viewer.change('breakpoint.clear', { matcher: { kind: 'custom', name: 'round trip' } })
  }

  async #call({ id = '', node = '', input, expect: expected }: Step): Promise<void> {
    const [kind, name = ''] = node.split(':')
    const call: Call = { ranWith: [] }
    this.#calls.set(id, call)
    const session = this.#session as Session
    const heldBefore = session.stats().heldGates
    const gated = session.gate(
      'before',
      { nodeId: node, kind: kind as 'tool', name, instanceId: id },
      { runId: this.#runId, input, editable: true },
    )
    void gated.then((decision: GateDecision) => call.ranWith.push('input' in decision ? decision.input : input))
    expect(session.stats().heldGates - heldBefore).toBe(expected === 'held' ? 1 : 0)
  }

  async #expectHeld({ calls = [], input = {}, distinctIds, ...step }: Step): Promise<void> {
    const held = await eventually(async () => {
      const pauses = await this.#pauses()
      return pauses.length === calls.length ? pauses : undefined
    }, 'the held calls')
    expect(held.map((pause) => (pause['payload'] as Frame)['instanceId']).sort()).toEqual([...calls].sort())
    for (const pause of held) {
      const { instanceId, input: shown } = pause['payload'] as Frame
      if (String(instanceId) in input) expect(shown).toEqual(input[String(instanceId)])
    }
    if (distinctIds === true) expect(new Set(held.map(({ pauseId }) => pauseId)).size).toBe(calls.length)
    // A viewer that opens the run is told the same by its events.
    const viewer = this.#viewer(step)
    viewer.subscribe(this.#runId)
    for (const id of calls) {
      const paused = await viewer.until(
        () => viewer.events(this.#runId).find(({ type, payload }) => type === 'exec.paused' && (payload as Frame)['instanceId'] === id),
        `the hold of ${id}`,
      )
      if (id in input) expect((paused['payload'] as Frame)['input']).toEqual(input[id])
    }
  }

  async #resume({ call, editInput, ...step }: Step): Promise<void> {
    const pause = (await this.#pauses()).find(({ payload }) => (payload as Frame)['instanceId'] === call)
    const viewer = this.#viewer(step)
    const before = viewer.messages('resume.result').length
    viewer.resume(this.#runId, {
      pauseId: pause?.['pauseId'],
      action: 'continue',
      ...(editInput === undefined ? {} : { input: editInput }),
    })
    expect(await viewer.message('resume.result', before + 1)).toMatchObject({ outcome: 'resumed' })
  }

  async #expectCall({ id = '', state, input, times }: Step): Promise<void> {
    const call = this.#calls.get(id) as Call
    if (state === 'held') {
      expect(call.ranWith).toEqual([])
      return
    }
    await eventually(() => (call.ranWith.length > 0 ? true : undefined), `${id} to run`)
    expect(call.ranWith).toEqual(Array.from({ length: times ?? 1 }, () => input))
  }

  async #upgrade({ origin, expect: expected }: Step): Promise<void> {
    const own = this.#server.url
    const header = origin
      ?.replace('<own origin as 127.0.0.1>', own)
      .replace('<own origin as localhost>', own.replace('127.0.0.1', 'localhost'))
    for (const path of ['/ws/ui', '/ingest']) {
      const result = await this.#server.connect(path, header === undefined ? {} : { origin: header }).then(
        () => 'accepted',
        () => 'refused',
      )
      expect([path, origin, result]).toEqual([path, origin, expected])
    }
  }

  async #pauses(): Promise<Frame[]> {
    return (await this.#server.get<{ pauses: Frame[] }>(`/api/pauses?runId=${this.#runId}`)).body.pauses
  }

  #viewer({ as = '' }: Step): Viewer {
    const viewer = this.#viewers.get(as)
    if (viewer === undefined) throw new Error(`The scene has no viewer ${as}.`)
    return viewer
  }
}

describe('case 24, control holds', () => {
  it('has the three scenes', () => {
    expect(scenario.scenes.map(({ name }) => name)).toEqual(['reconnect', 'two-at-once', 'origin'])
  })

  it.each(scenario.scenes)('$name', async ({ steps }) => {
    const stage = new Stage()
    await stage.start()
    for (const step of steps) await stage.play(step)
  })
})
