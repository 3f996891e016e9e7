import type { SessionOptions } from '@graphmind-ai/client'

/** Options of the span processor; all have defaults that fit `new GraphMindSpanProcessor()`. */
export interface GraphMindSpanProcessorOptions
  extends Pick<
    SessionOptions,
    | 'hideInputs'
    | 'hideOutputs'
    | 'hideToolArgs'
    | 'hideToolResults'
    | 'pauseTimeoutMs'
    | 'breakOnErrorResult'
    | 'breakOnTruncated'
    | 'logger'
  > {
  /** The collector, e.g. `ws://127.0.0.1:4747/ingest`. Default: GRAPHMIND_URL, an OTEL_* endpoint that is a collector, 127.0.0.1:4747. */
  readonly url?: string
  /** Name of the program. Default: OTEL_SERVICE_NAME, else the resource's service.name. */
  readonly appName?: string
  /** False: watch only, never hold a call. Default: true. */
  readonly hold?: boolean
  /** Read in place of process.env. */
  readonly env?: Readonly<Record<string, string | undefined>>
}
