import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { getJson } from '../driver/http.mjs'

const collector = process.env.GRAPHMIND_BENCH_COLLECTOR ?? fileURLToPath(new URL('../../../collector', import.meta.url))

/** The built collector of this checkout, or of the one that GRAPHMIND_BENCH_COLLECTOR names. */
export default {
  name: 'graphmind',
  version: () => JSON.parse(readFileSync(`${collector}/package.json`, 'utf8')).version,
  formats: ['protobuf', 'json'],
  start: ({ port, folder }) => ({
    command: process.execPath,
    args: [
      `${collector}/bin/graphmind.js`,
      'serve',
      '--port',
      String(port),
      '--db',
      `${folder}/graphmind.db`,
      '--no-open',
      '--no-otlp-ports',
    ],
    environment: { GRAPHMIND_RETENTION: 'off' },
  }),
  ready: (base) => `${base}/health`,
  ingest: (base, format) => ({
    url: `${base}/v1/traces`,
    headers: { 'content-type': format === 'json' ? 'application/json' : 'application/x-protobuf' },
  }),
  list: (base, limit) => `${base}/api/runs?limit=${limit}`,
  listCount: (json) => json.runs.length,
  run: (base, traceId) => `${base}/api/runs/${traceId}/spans?limit=10000`,
  spanCount: (json) => json.spans.length,
  // Every event of the run as the viewer draws it.
  bareRun: (base, traceId) => `${base}/api/runs/${traceId}/events?payloads=none&limit=5000`,
  /** Opens a run as the viewer does, without payloads; resolves with the number of its events once all are there and read. */
  openAsViewer: (base, traceId) =>
    new Promise((resolve, reject) => {
      const socket = new WebSocket(`${base.replace('http', 'ws')}/ws/ui`)
      let events = 0
      socket.onopen = () => socket.send(JSON.stringify({ type: 'subscribe', runId: traceId, payloads: 'none', batch: true, sheets: true }))
      socket.onmessage = ({ data }) => {
        const message = JSON.parse(String(data))
        events += (message.rows ?? message.events ?? []).length
        if (message.type !== 'replay.end') return
        socket.close()
        resolve(events)
      }
      socket.onerror = () => reject(new Error('The run can’t be opened.'))
    }),
  /** Spans that are stored and answered for, and not read yet: worked off when it is quiet, at once when a run is asked for. */
  waiting: async (base) => (await getJson(`${base}/api/ingest/stats`)).json.waitingSpans,
  // The messages of the run list carry the run id, which is the trace id.
  live: (base, heard) =>
    new Promise((resolve, reject) => {
      const socket = new WebSocket(`${base.replace('http', 'ws')}/ws/ui`)
      socket.onopen = () => {
        socket.send(JSON.stringify({ type: 'subscribe', runId: '*' }))
        resolve(() => socket.close())
      }
      socket.onmessage = ({ data }) => heard(String(data))
      socket.onerror = () => reject(new Error('There is no live channel.'))
    }),
}
