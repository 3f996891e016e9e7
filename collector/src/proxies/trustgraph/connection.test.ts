import { createSession, type Session } from '@graphmind-ai/client'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Gates } from '../gates.ts'
import { CONNECTION_LIMITS, Connection, type ConnectionLimits } from './connection.ts'
import { MAX_RECORDED_BYTES } from './exchange.ts'

const disabled = createSession({ env: { GRAPHMIND_DISABLED: '1' } })

function started(limits: Partial<ConnectionLimits> = {}, session: Session = disabled) {
  const toClient: string[] = []
  const toGateway: string[] = []
  const said: string[] = []
  const nowMs = () => 0
  const gates = new Gates({ session, holding: () => ({ ended: () => undefined }), nowMs })
  const connection = new Connection('c1', 'gateway', {
    session,
    gates,
    nowMs,
    say: (line) => said.push(line),
    limits: { ...CONNECTION_LIMITS, ...limits },
    toClient: ({ bytes }) => toClient.push(bytes.toString('latin1')),
    toGateway: ({ bytes }) => toGateway.push(bytes.toString('latin1')),
  })
  const frame = (text: string) => ({ bytes: Buffer.from(text, 'latin1'), isBinary: false })
  return {
    toClient,
    toGateway,
    said,
    ask: (text: string) => connection.fromClient(frame(text)),
    tell: (text: string) => connection.fromGateway(frame(text)),
  }
}

/** A session that records what is emitted, and wants answers kept back. */
function recording(): { readonly session: Session; readonly events: { readonly type: string; readonly payload: unknown }[] } {
  const events: { type: string; payload: unknown }[] = []
  return { events, session: { ...disabled, mightHold: () => true, emit: (type, payload) => void events.push({ type, payload }) } }
}

describe('frames that nobody holds', () => {
  it('go on in order and byte for byte, whatever they are', () => {
    const id = fc.constantFrom('"a"', '"b"', '1', '1.0', 'null')
    const service = fc.constantFrom('agent', 'text-completion', 'graph-rag', 'config', 'iam', 'thru/x', 'constructor')
    const request = fc
      .tuple(id, service, fc.boolean())
      .map(([own, name, streaming]) => `{"id":${own}, "service":"${name}","request":{"streaming":${streaming}},"flow":"f"}`)
    const response = fc.constantFrom(
      '{"response":"x", "end_of_stream": true}',
      '{"message_type":"thought","content":"t"}',
      '{"message_type":"observation","content":"o"}',
      '{"message_type":"explain","explain_id":"e","explain_triples":[{"p":7}]}',
      '{"error":{"type":"e"}}',
      '[]',
      '1e400',
    )
    const complete = fc.constantFrom('', ', "complete": true', ', "complete": false')
    const reply = fc.tuple(id, response, complete).map(([own, value, end]) => `{"id": ${own}, "response": ${value}${end}}`)
    const other = fc.oneof(
      fc.string({ unit: 'binary-ascii' }),
      fc.constantFrom('{"type":"auth","token":"t"}', '{"type": "auth-ok"}', '{"error": "x"}', '[1]'),
    )
    const frames = fc.array(fc.tuple(fc.boolean(), fc.oneof(request, reply, other)), { maxLength: 40 })
    fc.assert(
      fc.property(frames, (list) => {
        const { ask, tell, toClient, toGateway } = started({ exchanges: 2 })
        for (const [isClient, text] of list) (isClient ? ask : tell)(text)
        expect(toGateway).toEqual(list.filter(([isClient]) => isClient).map(([, text]) => text))
        expect(toClient).toEqual(list.filter(([isClient]) => !isClient).map(([, text]) => text))
      }),
    )
  })
})

describe('what a peer can make a connection keep', () => {
  const ask = (id: number) => `{"id":${id},"service":"text-completion","request":{"streaming":true},"flow":"f"}`
  const part = (id: number, text: string) => `{"id":${id},"response":{"response":"${text}"},"complete":false}`

  it('is the answers to so many ids, and the oldest is forgotten above that', () => {
    const { session, events } = recording()
    const connection = started({ exchanges: 2 }, session)
    for (const id of [1, 2]) connection.ask(ask(id))
    for (const id of [1, 2]) connection.tell(part(id, 'x'))
    const tokens = () => events.filter(({ type }) => type === 'node.token').length
    expect(tokens()).toBe(2)
    connection.ask(ask(3))
    connection.tell(part(1, 'y'))
    connection.tell(part(2, 'y'))
    expect(tokens()).toBe(3)
  })

  it('is so much of an answer that may be held, and a longer one is let through', () => {
    const { session } = recording()
    const [first, second] = [part(1, 'one'), part(1, 'two')]
    const limit = first.length + second.length
    const within = started({ waitingBytes: limit }, session)
    const beyond = started({ waitingBytes: limit - 1 }, session)
    for (const { ask: send, tell } of [within, beyond]) {
      send(ask(1))
      tell(first)
      tell(second)
    }
    expect(within.toClient).toEqual([])
    expect(beyond.toClient).toEqual([first, second])
    expect(beyond.said).toEqual([
      'the answer to text-completion #1 is too long to be kept back: it goes on, and only its last frame can be held.',
    ])
  })

  it('is so much of an answer in the record, and what is longer is cut there', () => {
    const { session, events } = recording()
    const { ask: send, tell } = started({}, session)
    send(ask(1))
    const text = 'x'.repeat(MAX_RECORDED_BYTES / 2)
    for (let index = 0; index < 3; index += 1) tell(part(1, text))
    tell('{"id":1,"response":{},"complete":true}')
    const finished = events.find(({ type }) => type === 'node.finished')
    expect(finished?.payload).toMatchObject({ output: text, cut: true })
  })
})
