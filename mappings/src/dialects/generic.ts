import type { Dialect } from '../dialect.ts'
import type { MappedSpan } from '../mapped-span.ts'
import { hasAny } from '../read/attribute.ts'
import { drawn, hidden } from '../read/drawn.ts'
import { failureOf } from '../read/failure.ts'
import { conventionalGrouping } from '../read/grouping.ts'
import { stableName } from '../read/stable-name.ts'
import type { SpanView } from '../span-view.ts'

const DIALECT = 'generic'
const INTERNAL = 1

/** True for a span that no vocabulary claims: nobody knows what it stands for. */
export function isUnclaimed({ dialect }: MappedSpan): boolean {
  return dialect === DIALECT
}

/** What no other vocabulary claims: an app's own span is a custom node, web, database and queue traffic is plumbing. */
export const generic: Dialect = {
  name: DIALECT,
  claims: () => true,
  map: mapGeneric,
  metadataKeys: [
    'graphmind.*',
    'otel.*',
    'error.type',
    'exception.type',
    'exception.escaped',
    'http.request.method',
    'http.response.status_code',
    'http.method',
    'http.status_code',
    'http.route',
    'url.scheme',
    'server.address',
    'server.port',
    'network.*',
    'rpc.system',
    'rpc.service',
    'rpc.method',
    'db.system',
    'db.system.name',
    'db.operation.name',
    'messaging.system',
    'messaging.operation',
    'messaging.operation.name',
    'thread.id',
    'thread.name',
    'code.function.name',
    'service.*',
    'telemetry.*',
  ],
}

function mapGeneric(span: SpanView): MappedSpan {
  const run = conventionalGrouping(span.attributes)
  if (isTraffic(span)) return hidden(DIALECT, span.name, { run })
  const name = stableName(span.name)
  return drawn(DIALECT, 'custom', `custom:${name}`, name, {
    run,
    error: failureOf(span),
    extras: { spanName: name === span.name ? undefined : span.name },
  })
}

/** Calls between machines, and the inner spans of instrumentations of frameworks that only carry them. */
function isTraffic(span: SpanView): boolean {
  if (/^(@opentelemetry\/instrumentation-|opentelemetry\.instrumentation\.|next\.js$)/.test(span.scope.name)) return true
  return (
    span.kind > INTERNAL &&
    hasAny(
      span.attributes,
      'http.request.method',
      'http.method',
      'url.full',
      'http.url',
      'db.system',
      'db.system.name',
      'rpc.system',
      'rpc.system.name',
      'messaging.system',
    )
  )
}
