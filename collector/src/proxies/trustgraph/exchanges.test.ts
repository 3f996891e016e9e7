import type { Envelope } from '@graphmind-ai/schema'
import { afterEach, describe, expect, it } from 'vitest'
import { type ExchangeCase, type ExpectedNode, exchangeCases, startTrustGraphStage, type TrustGraphStage } from '../testing/trustgraph.ts'

let stage: TrustGraphStage | undefined
afterEach(async () => {
  await stage?.stop()
  stage = undefined
})

/** Plays an exchange through the proxy, each frame after the one before has arrived at the other end. */
async function play({ viewer, connect }: TrustGraphStage, { lines }: ExchangeCase) {
  const { client, server } = await connect()
  const counts = { c2g: 0, g2c: 0 }
  for (const { dir, frame, opcode } of lines) {
    const [from, to] = dir === 'c2g' ? [client, server] : [server, client]
    from.send(frame, opcode === 'binary')
    counts[dir] += 1
    await to.count(counts[dir])
  }
  const received = { c2g: server.received, g2c: client.received }
  client.socket.close(1000)
  await viewer.event('run.finished')
  return { received, envelopes: viewer.envelopes }
}

type Payload = { readonly [key: string]: unknown }

/** What the events say of one instance, in the words of the fixtures. */
function picture(envelopes: readonly Envelope[], ref: string, isAgentChild: boolean): Payload {
  const instanceId = `c1:${ref}`
  const about = (type: string) =>
    envelopes
      .filter((envelope) => envelope.type === type)
      .map(({ payload }) => payload as Payload)
      .filter((payload) => payload['instanceId'] === instanceId)
  const [started = {}] = about('node.started')
  const [finished] = about('node.finished')
  const [failed] = about('node.error')
  const deltas = about('node.token').flatMap(({ deltas: list }) => list as { t: string; v: string }[])
  const joined = (channel: string) => {
    const text = deltas
      .filter(({ t }) => t === channel)
      .map(({ v }) => v)
      .join('')
    return text === '' ? undefined : text
  }
  const parent = String(started['parentInstanceId'])
  return {
    ref,
    nodeId: started['nodeId'],
    kind: started['kind'],
    name: started['name'],
    parent: isAgentChild ? parent.replace(/^c1:/, '') : parent === 'trustgraph:session' ? null : parent,
    status: failed !== undefined ? 'error' : finished?.['status'] === 'aborted' ? 'open' : finished?.['status'],
    input: started['input'],
    output: finished?.['output'],
    usage: finished?.['usage'],
    model: finished?.['model'],
    resends: finished?.['resends'],
    error: failed?.['error'],
    text: joined('text'),
    reasoning: joined('reasoning'),
  }
}

const ALWAYS_COMPARED = ['text', 'reasoning', 'usage', 'error']
const expectedKeys = (node: ExpectedNode) => new Set([...Object.keys(node), ...ALWAYS_COMPARED])

describe('an exchange with the gateway', () => {
  it.each(exchangeCases())('$name', async (exchange) => {
    stage = await startTrustGraphStage()
    const { received, envelopes } = await play(stage, exchange)
    for (const dir of ['c2g', 'g2c'] as const) {
      const sent = exchange.lines
        .filter((line) => line.dir === dir)
        .map(({ frame, opcode }) => ({ text: frame, isBinary: opcode === 'binary' }))
      expect(received[dir]).toEqual(sent)
    }
    const { nodes, unrouted = { c2g: 0, g2c: 0 }, auth, mustNotAppear = [] } = exchange.expect
    for (const node of nodes) {
      const shown = picture(envelopes, node.ref, node.ref.includes(':'))
      const compared = Object.fromEntries([...expectedKeys(node)].map((key) => [key, shown[key]]))
      expect(compared).toEqual({ ...Object.fromEntries(ALWAYS_COMPARED.map((key) => [key, undefined])), ...node })
    }
    const instances = envelopes.filter(({ type }) => type === 'node.started').map(({ payload }) => (payload as Payload)['instanceId'])
    expect(instances.sort()).toEqual(['trustgraph:session', ...nodes.map(({ ref }) => `c1:${ref}`)].sort())
    const ends = envelopes.filter(
      ({ type, payload }) => type === 'node.finished' && (payload as Payload)['nodeId'] === 'trustgraph:session',
    )
    const facts = { ...(auth === undefined ? {} : { auth }), unrouted: { fromClient: unrouted.c2g, fromGateway: unrouted.g2c } }
    expect(ends.map(({ payload }) => (payload as Payload)['trustgraph'])).toEqual([facts])
    for (const secret of mustNotAppear) expect(JSON.stringify(envelopes) + stage.said()).not.toContain(secret)
  })
})
