import { events } from './events.ts'
import type { TraceFormat } from './format.ts'
import { jaeger } from './jaeger.ts'
import { langfuse } from './langfuse.ts'
import { mlflow } from './mlflow.ts'
import { otherSignals } from './other-signals.ts'
import { otlp } from './otlp.ts'
import { otlpLogs } from './otlp-logs.ts'
import { phoenix } from './phoenix.ts'
import { pythonSdk } from './python-sdk.ts'
import { zipkin } from './zipkin.ts'

/** In order of question: the first that claims an object reads it. */
export const FORMATS: readonly TraceFormat[] = [events, otlpLogs, otlp, jaeger, mlflow, pythonSdk, langfuse, zipkin, phoenix, otherSignals]

/** The formats by name, for a message about a file that is of none of them. */
export const KNOWN_FORMATS = [
  'OTLP (JSON, JSON lines or protobuf)',
  ...[jaeger, zipkin, phoenix, pythonSdk, langfuse, mlflow, events].map(({ name }) => name),
].join(', ')
