import { DEFAULTS } from './load/runs.mjs'

/** What `measure.mjs` can be told of the load and of what is measured. */
export const LOAD_OPTIONS = {
  ...DEFAULTS,
  runs: 10_000,
  /** Spans in one request, the SDKs' default. */
  batch: 512,
  gzip: false,
  /** Requests in flight. */
  connections: 4,
  /** Cold starts beside the one of the measured process. */
  starts: 5,
  /** Small runs sent one by one for the live figure. */
  live: 30,
  /** Spans of the one big run; 0 leaves it out. */
  big: 5000,
  /** SIGKILL right after the last 2xx, instead of the queries: what survived of 500 runs is counted. */
  kill: false,
  /** Seconds until the load has to be queryable. */
  timeout: 300,
}
