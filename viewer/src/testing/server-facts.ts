/** An answer of `GET /api/server`. */
export function serverFacts(change: object = {}): object {
  return {
    version: '1.2.3',
    node: '24.0.0',
    bound: ['127.0.0.1:4747', '[::1]:4747'],
    asksForToken: false,
    allowedHosts: [],
    allowedOrigins: [],
    store: { path: '/home/me/runs.db', bytes: 1536 * 1024, diskFreeBytes: 3 * 1024 ** 3, problem: null, warning: null },
    retention: { keepRuns: { count: 200, otherCount: 100 }, maxAgeMs: 30 * 86_400_000, maxBytes: 2 * 1024 ** 3 },
    ...change,
  }
}
