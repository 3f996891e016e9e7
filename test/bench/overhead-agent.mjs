// The program that overhead.mjs measures: arguments are a label, the kind of span and the number of rounds.
import { GraphMindSpanProcessor } from '@graphmind-ai/otel'
import { context, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base'

const [label, kind, rounds] = process.argv.slice(2)
const RUNS = 10
const SPANS = 100
const WARM_UP = 5
let calls = 0
const ATTRIBUTES = {
  tool: () => ({
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': 'search',
    'gen_ai.tool.call.id': `call-${calls++}`,
    'gen_ai.tool.call.arguments': `{"q":"lisbon","page":${calls}}`,
  }),
  other: () => ({ 'http.request.method': 'GET', 'url.path': `/${calls++}` }),
}[kind]

context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
const exporting = () => new BatchSpanProcessor(new OTLPTraceExporter())
const plain = new BasicTracerProvider({ spanProcessors: [exporting()] })
const processor = new GraphMindSpanProcessor()
const ours = new BasicTracerProvider({ spanProcessors: [exporting(), processor] })
trace.setGlobalTracerProvider(ours)
await processor.ready({ timeoutMs: 500 })

const sides = [
  { provider: plain, tracer: plain.getTracer('bench'), cpu: [], call: [] },
  { provider: ours, tracer: trace.getTracer('bench'), cpu: [], call: [] },
]

async function round({ provider, tracer, cpu, call }, counts) {
  let nanos = 0
  const before = process.cpuUsage()
  for (let run = 0; run < RUNS; run += 1) {
    await tracer.startActiveSpan('run', async (root) => {
      const start = process.hrtime.bigint()
      for (let i = 0; i < SPANS; i += 1) await tracer.startActiveSpan('work', { attributes: ATTRIBUTES() }, async (span) => span.end())
      nanos += Number(process.hrtime.bigint() - start)
      root.end()
    })
    await new Promise((resolve) => setImmediate(resolve))
  }
  await provider.forceFlush()
  const { user, system } = process.cpuUsage(before)
  if (!counts) return
  cpu.push(((user + system) * 1000) / (RUNS * SPANS))
  call.push(nanos / (RUNS * SPANS))
}

for (let i = -WARM_UP; i < Number(rounds); i += 1) {
  // In turns, and the first of a pair in turns as well.
  for (const side of i % 2 === 0 ? sides : sides.toReversed()) await round(side, i >= 0)
}

const median = (values) => values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)]
const told = (name, [base, with_]) => {
  const ratio = median(with_.map((value, index) => value / base[index]))
  return `${name} ${median(base).toFixed(0)} → ${median(with_).toFixed(0)} ns, ${ratio.toFixed(3)}×`
}
console.log(
  `${label.padEnd(32)} ${told(
    'CPU',
    sides.map(({ cpu }) => cpu),
  )}   ${told(
    'call',
    sides.map(({ call }) => call),
  )}`,
)
await Promise.all(sides.map(({ provider }) => provider.shutdown()))
