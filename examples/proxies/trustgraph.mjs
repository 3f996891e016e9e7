// A TrustGraph client that asks its gateway a completion, an agent and a graph: node trustgraph.mjs ws://127.0.0.1:4748/api/v1/socket
import { createTrustGraphSocket } from '@trustgraph/client'

const say = console.log
// The client tells every event of its connection there.
console.log = () => undefined
const client = createTrustGraphSocket('alice', process.env.TRUSTGRAPH_TOKEN, process.argv[2])
await new Promise((resolve) => {
  client.onConnectionStateChange(({ status }) => {
    if (status === 'unauthenticated' || status === 'authenticated') resolve()
  })
})
const flow = client.flow('default')
const outcome = (promise) => promise.catch((error) => `failed: ${error.message}`)

say('completion:', await outcome(flow.textCompletion('Be brief.', 'Why is the sky blue?')))
const heard = { thought: '', observation: '', answer: '' }
const collect = (kind) => (chunk) => {
  heard[kind] += chunk
}
await flow.agent('How many cranes?', collect('thought'), collect('observation'), collect('answer'), (error) => say('agent failed:', error))
say('agent:', JSON.stringify(heard))
say('graph:', await outcome(flow.graphRag('Which cranes?')))
client.close()
say('done')
