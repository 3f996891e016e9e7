// Realistic agent runs (agent, model and tool spans). The same options always give the same runs. Dialects: genai, ai-sdk, ai-sdk-7,
// openinference; `mixed` gives run i dialect i mod 4.
import { toAiSdk, toAiSdk7 } from './ai-sdk.mjs'
import { toGenai } from './genai.mjs'
import { toOpenInference } from './openinference.mjs'
import { plan } from './plan.mjs'
import { rng } from './random.mjs'

export const DIALECTS = ['genai', 'ai-sdk', 'openinference', 'ai-sdk-7']

export const DEFAULTS = {
  seed: 1,
  runs: 100,
  spans: 20,
  dialect: 'mixed',
  // approximate characters of new text that each LLM turn adds to the conversation
  text: 400,
  // share of tool calls that fail
  errorRate: 0.05,
  // ms since the epoch of the first run; each next run starts 1 s later
  start: Date.UTC(2026, 0, 1),
  service: 'bench-agent',
  // number of conversations the runs are spread over
  sessions: 0, // 0: one per 5 runs
}

const MAP = { genai: toGenai, 'ai-sdk': toAiSdk, openinference: toOpenInference, 'ai-sdk-7': toAiSdk7 }
const SCOPE = {
  genai: { name: 'opentelemetry.instrumentation.openai_v2', version: '2.1b0' },
  'ai-sdk': { name: 'ai', version: '' },
  openinference: { name: 'openinference.instrumentation.openai', version: '0.1.30' },
  'ai-sdk-7': { name: 'gen_ai', version: '' },
}

// Returns {traceId, session, dialect, scope, resource, spans} with spans in end-time order,
// the order in which a real SDK would export them (children before parents).
export function makeRun(options, index) {
  const o = { ...DEFAULTS, ...options }
  const dialect = o.dialect === 'mixed' ? DIALECTS[index % DIALECTS.length] : o.dialect
  if (!MAP[dialect]) throw new Error(`unknown dialect ${dialect}`)
  const r = rng((Math.imul(o.seed, 2654435761) ^ Math.imul(index + 1, 40503)) >>> 0)
  const run = plan(r, o, index, dialect)
  const spans = run.steps.map((s) => {
    const m = MAP[dialect](run, s)
    return {
      traceId: run.traceId,
      spanId: s.id,
      parentSpanId: s.parent,
      name: m.name,
      kind: m.kind,
      start: s.t0,
      end: s.t1,
      attributes: m.attributes,
      events: s.events.map((e) => ({
        time: e.t,
        name: e.name,
        attributes: [
          ['exception.type', e.type],
          ['exception.message', e.message],
        ],
      })),
      status: s.failed ? { code: 2, message: `${s.tool} timed out` } : { code: 0 },
    }
  })
  spans.sort((x, y) => (x.end < y.end ? -1 : x.end > y.end ? 1 : 0))
  return {
    traceId: run.traceId,
    session: run.session,
    dialect,
    scope: SCOPE[dialect],
    resource: [
      ['service.name', o.service],
      ['service.version', '1.0.0'],
      ['telemetry.sdk.language', dialect.startsWith('ai-sdk') ? 'nodejs' : 'python'],
      ['telemetry.sdk.name', 'opentelemetry'],
      ['telemetry.sdk.version', '1.37.0'],
    ],
    spans,
  }
}

// Cuts runs into export requests of at most `batch` spans, as a batching span processor
// does (a run may straddle two requests). Yields {groups: [{resource, scope, spans}], spans, traceIds}.
export function* batches(options, batch = 512) {
  const o = { ...DEFAULTS, ...options }
  let groups = []
  let count = 0
  let ids = new Set()
  for (let i = 0; i < o.runs; i++) {
    const run = makeRun(o, i)
    let at = 0
    while (at < run.spans.length) {
      const part = run.spans.slice(at, at + batch - count)
      at += part.length
      count += part.length
      groups.push({ resource: run.resource, scope: run.scope, spans: part })
      ids.add(run.traceId)
      if (count >= batch) {
        yield { groups, spans: count, traceIds: [...ids] }
        groups = []
        count = 0
        ids = new Set()
      }
    }
  }
  if (count) yield { groups, spans: count, traceIds: [...ids] }
}
