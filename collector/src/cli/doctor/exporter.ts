import type { Environment } from '../settings.ts'
import { type Check, fine, note, problem } from './check.ts'

const NAME = 'exporter'
const PROTOCOLS = ['http/protobuf', 'http/json', 'grpc']

/** The exporter settings of the shell, read as every OpenTelemetry SDK reads them. `collector` is the collector's http address. */
export function checkExporter(env: Environment, collector: string): readonly Check[] {
  const checks = [
    checkDisabled(env),
    checkKind(env),
    ...checkEndpoints(env, collector),
    checkProtocol(env),
    checkSampler(env),
    checkLimits(env),
    checkContent(env),
  ].filter((check) => check !== undefined)
  return checks.length > 0 ? checks : [fine(NAME, 'The OTEL_* variables of this shell get in nobody’s way.')]
}

function checkDisabled({ OTEL_SDK_DISABLED: disabled }: Environment): Check | undefined {
  if (disabled?.trim().toLowerCase() !== 'true') return undefined
  return problem(NAME, 'OTEL_SDK_DISABLED=true turns OpenTelemetry off.', 'unset OTEL_SDK_DISABLED')
}

function checkKind({ OTEL_TRACES_EXPORTER: kinds }: Environment): Check | undefined {
  if (kinds === undefined || kinds === '' || kinds.split(',').some((kind) => /^\s*otlp/.test(kind))) return undefined
  return problem(NAME, `OTEL_TRACES_EXPORTER=${kinds} sends no spans over OTLP.`, 'export OTEL_TRACES_EXPORTER=otlp')
}

function checkEndpoints(env: Environment, collector: string): readonly (Check | undefined)[] {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: base, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: traces } = env
  const grpc = protocolOf(env) === 'grpc'
  return [
    traces === undefined ? checkEndpoint('OTEL_EXPORTER_OTLP_ENDPOINT', base, collector) : undefined,
    checkEndpoint('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', traces, collector),
    base !== undefined && /\/v1\/traces\/?$/.test(base)
      ? problem(
          NAME,
          `OTEL_EXPORTER_OTLP_ENDPOINT=${base} is a base: exporters put /v1/traces behind it.`,
          `export OTEL_EXPORTER_OTLP_ENDPOINT=${collector}`,
        )
      : undefined,
    traces !== undefined && !grpc && URL.canParse(traces) && !new URL(traces).pathname.endsWith('/v1/traces')
      ? problem(
          NAME,
          `OTEL_EXPORTER_OTLP_TRACES_ENDPOINT=${traces} is used as it is, and has no /v1/traces.`,
          `export OTEL_EXPORTER_OTLP_TRACES_ENDPOINT=${collector}/v1/traces`,
        )
      : undefined,
  ]
}

function checkEndpoint(variable: string, value: string | undefined, collector: string): Check | undefined {
  if (value === undefined || value === '') return undefined
  const url = URL.parse(value)
  const fix = `export ${variable}=${collector}${variable.includes('TRACES') ? '/v1/traces' : ''}`
  if (url === null || !/^https?:$/.test(url.protocol)) return problem(NAME, `${variable}=${value} is no http address.`, fix)
  if (sameHost(url, new URL(collector)) || DEFAULT_PORTS.has(url.port)) return fine(NAME, `${variable} leads to ${value}.`)
  return note(NAME, `${variable}=${value} leads past GraphMind. Programs with its span processor show up all the same.`, fix)
}

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/
/** Checked as ports of their own. */
const DEFAULT_PORTS = new Set(['4317', '4318'])

function sameHost(one: URL, other: URL): boolean {
  const isHere = (url: URL) => LOOPBACK.test(url.hostname)
  return one.port === other.port && (one.hostname === other.hostname || (isHere(one) && isHere(other)))
}

function protocolOf(env: Environment): string | undefined {
  return env['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL'] || env['OTEL_EXPORTER_OTLP_PROTOCOL'] || undefined
}

function checkProtocol(env: Environment): Check | undefined {
  const protocol = protocolOf(env)
  if (protocol === undefined || PROTOCOLS.includes(protocol)) return undefined
  return problem(
    NAME,
    `“${protocol}” is no OTLP protocol.`,
    `export OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf, or one of ${PROTOCOLS.join(', ')}`,
  )
}

function checkSampler({ OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: share }: Environment): Check | undefined {
  if (sampler === undefined || sampler === '' || sampler.endsWith('always_on')) return undefined
  if (sampler.endsWith('always_off')) return problem(NAME, `OTEL_TRACES_SAMPLER=${sampler} records nothing.`, 'unset OTEL_TRACES_SAMPLER')
  return note(
    NAME,
    `OTEL_TRACES_SAMPLER=${sampler}${share === undefined ? '' : ` (${share})`} may leave runs out; they can't be held either.`,
    'unset OTEL_TRACES_SAMPLER while you debug',
  )
}

/** Values cut to fewer characters than this lose prompts. */
const SHORT_VALUE = 10_000

function checkLimits(env: Environment): Check | undefined {
  const variable = ['OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT', 'OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT'].find((name) => {
    const limit = Number(env[name] || Number.POSITIVE_INFINITY)
    return limit < SHORT_VALUE
  })
  if (variable === undefined) return undefined
  return note(NAME, `${variable}=${env[variable]} cuts prompts and answers short.`, `unset ${variable} while you debug`)
}

function checkContent({ OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: captured, TRACELOOP_TRACE_CONTENT: traceloop }: Environment) {
  if (traceloop?.toLowerCase() === 'false')
    return note(NAME, 'TRACELOOP_TRACE_CONTENT=false leaves prompts and answers out.', 'unset TRACELOOP_TRACE_CONTENT')
  if (captured !== undefined && /^(false|no_content)$/i.test(captured))
    return note(
      NAME,
      `OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=${captured} leaves prompts and answers out.`,
      'export OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=true',
    )
  return undefined
}
