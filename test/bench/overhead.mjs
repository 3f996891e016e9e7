// What the processor costs a program, in one run of one process: nanoseconds per awaited span and their ratio to the plain SDK.
//   detached    GraphMindSpanProcessor, no collector: nothing but the gating tracer's one property read and the ring
//   attached    a debugger is connected, and no breakpoint matches
// Each is set against the same SDK with a batch processor whose exporter throws its spans away, as any program with telemetry has one.
// The spans of the two sides take turns, so that a busy machine slows both. npm run bench:overhead -- [rounds]
import { startFakeViewer } from '@graphmind-ai/client/testing'
import { GraphMindSpanProcessor } from '@graphmind-ai/otel'
import { context, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base'

const ROUNDS = Number(process.argv[2] ?? 60)
const SPANS = 500
const TOOL = {
  'gen_ai.operation.name': 'execute_tool',
  'gen_ai.tool.name': 'search',
  'gen_ai.tool.call.id': 'call-1',
  'gen_ai.tool.call.arguments': '{"q":"lisbon"}',
}
const WEB = { 'http.request.method': 'GET', 'url.path': '/' }
const SILENT = { logger: { warn: () => undefined } }

const discard = { export: (_spans, done) => done({ code: 0 }), shutdown: async () => undefined }
const batch = () => new BatchSpanProcessor(discard, { maxQueueSize: 1_000_000 })
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())

/** Nanoseconds per awaited span, in a run of many. */
function spanNanos(tracer, attributes) {
  return tracer.startActiveSpan('run', async (root) => {
    const start = process.hrtime.bigint()
    for (let i = 0; i < SPANS; i++) await tracer.startActiveSpan('work', { attributes }, async (span) => span.end())
    const nanos = Number(process.hrtime.bigint() - start) / SPANS
    root.end()
    return nanos
  })
}

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]

async function compare(name, plain, ours, attributes) {
  const [base, with_] = [[], []]
  for (let round = 0; round < ROUNDS; round++) {
    // In turns, and the first of a pair in turns as well.
    const first = round % 2 === 0
    if (first) base.push(await spanNanos(plain, attributes))
    with_.push(await spanNanos(ours, attributes))
    if (!first) base.push(await spanNanos(plain, attributes))
    await new Promise((resolve) => setImmediate(resolve))
  }
  const ratio = median(with_.map((value, index) => value / base[index]))
  console.log(
    `${name.padEnd(34)} plain ${median(base).toFixed(0).padStart(6)} ns   ours ${median(with_).toFixed(0).padStart(6)} ns   ratio ${ratio.toFixed(3)}`,
  )
}

const plainProvider = new BasicTracerProvider({ spanProcessors: [batch()] })
const plain = plainProvider.getTracer('bench')

async function measure(label, processor) {
  const provider = new BasicTracerProvider({ spanProcessors: [batch(), processor] })
  trace.setGlobalTracerProvider(provider)
  const ours = trace.getTracer('bench')
  // The tracer alone, over a provider without our processor: what holding costs where nothing is held.
  await compare(`${label}, tool span`, plain, ours, TOOL)
  await compare(`${label}, other span`, plain, ours, WEB)
  await provider.shutdown()
  trace.disable()
}

/** What the gating tracer adds alone: the plain provider behind the API's hooked proxy. */
async function measureTracer(label) {
  trace.setGlobalTracerProvider(plainProvider)
  await compare(`${label}, gate only, tool span`, plain, trace.getTracer('bench'), TOOL)
  trace.disable()
}

const off = new GraphMindSpanProcessor({ url: 'ws://127.0.0.1:1/ingest', env: {}, ...SILENT })
await measureTracer('detached')
await measure('detached', off)

const viewer = await startFakeViewer({ breakpoints: [{ kind: 'tool', name: 'another' }] })
const on = new GraphMindSpanProcessor({ url: viewer.url, env: { GRAPHMIND_ON_LOOP: 'off' }, ...SILENT }) // The same call again and again is a loop.
await on.ready()
await measureTracer('attached, no match')
await measure('attached, no match', on)
await viewer.close()
