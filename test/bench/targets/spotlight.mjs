import { sseText } from '../driver/sse.mjs'
import { makeRun } from '../load/runs.mjs'
import { peerFolder, peerVersion } from '../peers.mjs'

const seconds = (nanos) => Number(nanos / 1000n) / 1e6
const plain = (value) => (typeof value === 'bigint' ? Number(value) : value)

/**
 * Sentry Spotlight takes Sentry envelopes instead of OTLP, and can't be asked for one trace: each run is sent as one transaction, and
 * counts as visible when the event stream showed it.
 */
export default {
  name: 'spotlight',
  version: () => peerVersion('spotlight'),
  formats: ['json'],
  start: ({ port }) => ({
    command: process.execPath,
    args: [`${peerFolder('spotlight')}/node_modules/@spotlightjs/spotlight/dist/run.js`, 'server', '-p', String(port)],
    environment: { NODE_ENV: 'production', SENTRY_SPOTLIGHT: '' },
  }),
  ready: (base) => `${base}/health`,
  ingest: (base) => ({ url: `${base}/stream`, headers: { 'content-type': 'application/x-sentry-envelope' } }),
  *batches(options) {
    for (let index = 0; index < options.runs; index++) {
      const run = makeRun(options, index)
      yield { groups: [run], spans: run.spans.length }
    }
  },
  body: envelope,
  async attach(base) {
    const seen = new Map()
    let waiting = ''
    const close = await sseText(`${base}/stream`, (chunk) => {
      const parts = `${waiting}${chunk}`.split('\n\n')
      waiting = parts.pop()
      for (const part of parts) {
        const traceId = /"event_id":"([0-9a-f]{32})"/.exec(part)?.[1]
        if (traceId !== undefined) seen.set(traceId, part.split('"span_id":').length - 1)
      }
    })
    return { probe: (traceId) => seen.get(traceId) ?? 0, close }
  },
  live: (base, heard) => sseText(`${base}/stream`, heard),
}

function envelope(groups) {
  const spans = groups.flatMap((group) => group.spans)
  const root = spans.find((span) => !span.parentSpanId) ?? spans.at(-1)
  const header = { event_id: root.traceId, sent_at: new Date(0).toISOString() }
  const transaction = {
    type: 'transaction',
    event_id: root.traceId,
    transaction: root.name,
    start_timestamp: seconds(root.start),
    timestamp: seconds(root.end),
    platform: 'node',
    contexts: { trace: { trace_id: root.traceId, span_id: root.spanId, op: 'gen_ai.invoke_agent', data: dataOf(root) } },
    spans: spans.filter((span) => span !== root).map(childOf),
  }
  return Buffer.from([header, { type: 'transaction' }, transaction].map((part) => JSON.stringify(part)).join('\n'))
}

function childOf(span) {
  return {
    trace_id: span.traceId,
    span_id: span.spanId,
    parent_span_id: span.parentSpanId,
    op: span.name.split(' ')[0],
    description: span.name,
    start_timestamp: seconds(span.start),
    timestamp: seconds(span.end),
    data: dataOf(span),
    status: span.status.code === 2 ? 'internal_error' : 'ok',
  }
}

const dataOf = (span) => Object.fromEntries(span.attributes.map(([key, value]) => [key, plain(value)]))
