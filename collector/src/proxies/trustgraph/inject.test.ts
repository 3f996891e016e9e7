import { afterEach, describe, expect, it } from 'vitest'
import { injectCases, startTrustGraphStage, type TrustGraphStage } from '../testing/trustgraph.ts'

let stage: TrustGraphStage | undefined
afterEach(async () => {
  await stage?.stop()
  stage = undefined
})

describe('a value typed by a person', () => {
  it.each(injectCases())('$name', async ({ request, value, action, expect: frame }) => {
    stage = await startTrustGraphStage({ viewer: { breakpoints: [{}] } })
    const { client, server } = await stage.connect()
    client.send(JSON.stringify(request))
    const paused = await stage.viewer.event('exec.paused')
    stage.viewer.resume(paused, action ?? 'inject', action === undefined ? { output: value } : {})
    await client.count(1)
    expect(client.received.map(({ text }) => JSON.parse(text))).toEqual([frame])
    client.socket.close(1000)
    await server.closed
    expect(server.received).toEqual([])
  })
})
