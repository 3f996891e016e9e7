import { fileURLToPath } from 'node:url'
import { peerFolder, peerVersion } from '../peers.mjs'

/** Genkit's telemetry server, the store behind its developer UI. It is a library, so genkit-server.cjs starts it. OTLP/JSON only. */
export default {
  name: 'genkit',
  version: () => peerVersion('genkit'),
  formats: ['json'],
  start: ({ port, folder }) => ({
    command: process.execPath,
    args: [fileURLToPath(new URL('./genkit-server.cjs', import.meta.url)), peerFolder('genkit'), String(port), folder],
  }),
  ready: (base) => `${base}/api/__health`,
  ingest: (base) => ({ url: `${base}/api/otlp`, headers: { 'content-type': 'application/json' } }),
  list: (base, limit) => `${base}/api/traces?limit=${limit}`,
  listCount: (json) => json.traces.length,
  run: (base, traceId) => `${base}/api/traces/${traceId}`,
  spanCount: (json) => Object.keys(json.spans ?? {}).length,
}
