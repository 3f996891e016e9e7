import { sseText } from '../driver/sse.mjs'
import { peerFolder, peerVersion } from '../peers.mjs'

/** SideSeat: a Rust program with DuckDB and SQLite inside. Its npm package has a binary for Linux x64 among others. */
export default {
  name: 'sideseat',
  version: () => peerVersion('sideseat'),
  formats: ['protobuf', 'json'],
  start: ({ port, folder }) => ({
    command: `${peerFolder('sideseat')}/node_modules/@sideseat/platform-${process.platform}-${process.arch}/sideseat`,
    args: [
      ...['--no-auth', '--no-update-check', '--pricing-sync-hours', '0', '--credentials-scan-env', 'false', '--otel-grpc', 'false'],
      ...['--rate-limit-enabled', 'false', '-H', '127.0.0.1', '-p', String(port)],
    ],
    environment: { SIDESEAT_DATA_DIR: `${folder}/data`, HOME: folder },
  }),
  ready: (base) => `${base}/api/v1/health`,
  ingest: (base, format) => ({
    url: `${base}/otel/default/v1/traces`,
    headers: { 'content-type': format === 'json' ? 'application/json' : 'application/x-protobuf' },
  }),
  list: (base, limit) => `${base}/api/v1/project/default/otel/traces?limit=${limit}`,
  listCount: (json) => json.data.length,
  run: (base, traceId) => `${base}/api/v1/project/default/otel/traces/${traceId}/spans`,
  spanCount: (json) => (Array.isArray(json) ? json.length : (json.meta?.total_items ?? json.data?.length ?? 0)),
  live: (base, heard) => sseText(`${base}/api/v1/project/default/otel/sse`, heard),
}
