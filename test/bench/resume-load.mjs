// Sends runs to a collector as fast as it takes them, until it is told to end; says when it begins, and then how fast it was.
//   node test/bench/resume-load.mjs http://127.0.0.1:4747
import { setImmediate } from 'node:timers/promises'
import { send } from './driver/http.mjs'
import { encode } from './load/encode.mjs'
import { batches, DEFAULTS } from './load/runs.mjs'
import graphmind from './targets/graphmind.mjs'

const { url, headers } = graphmind.ingest(process.argv[2], 'protobuf')
const CONNECTIONS = 4
let isOver = false
let spans = 0
process.once('SIGTERM', () => {
  isOver = true
})

const requests = [...batches({ ...DEFAULTS, runs: 5000 }, 512)].map((batch) => ({
  body: encode.protobuf(batch.groups),
  spans: batch.spans,
}))
console.log('sending')
const begun = performance.now()
let next = 0
await Promise.all(
  Array.from({ length: CONNECTIONS }, async () => {
    while (!isOver) {
      const { body, spans: count } = requests[next++ % requests.length]
      const { status } = await send('POST', url, { headers, body })
      if (status === 200) spans += count
      await setImmediate()
    }
  }),
)
console.log(JSON.stringify({ spansPerSecond: Math.round(spans / ((performance.now() - begun) / 1000)) }))
process.exit()
