import { type Check, fine, note, problem } from './check.ts'

/** What answers on a port. */
export type Listener =
  | { readonly kind: 'nobody' }
  | { readonly kind: 'graphmind'; readonly version: string }
  /** Something else, or somebody who may not be asked. */
  | { readonly kind: 'other' }

/** The collector's own port. */
export function checkCollector(address: string, listener: Listener, version: string): Check {
  switch (listener.kind) {
    case 'graphmind':
      return listener.version === version
        ? fine('collector', `GraphMind ${version} answers at ${address}.`)
        : note(
            'collector',
            `GraphMind ${listener.version} answers at ${address}, and this is ${version}.`,
            'Stop the other one and start graphmind again, unless you want the older one.',
          )
    case 'nobody':
      return problem('collector', `Nothing answers at ${address}.`, 'Start graphmind, in another terminal or with npx graphmind-ai.')
    case 'other':
      return problem(
        'collector',
        `Something that is not GraphMind answers at ${address}.`,
        'Stop it, or start graphmind serve --port <n> and set GRAPHMIND_URL=ws://127.0.0.1:<n>/ingest for your programs.',
      )
  }
}

/** The ports that exporters take when nobody names one. */
export function checkDefaultPort(port: 4318 | 4317, listener: Listener, collectorRuns: boolean): Check {
  const name = `port ${port}`
  const protocol = port === 4318 ? 'OTLP over HTTP' : 'OTLP over gRPC'
  switch (listener.kind) {
    case 'graphmind':
      return fine(name, `GraphMind takes ${protocol} here, so exporters need no endpoint.`)
    case 'nobody':
      return collectorRuns
        ? note(
            name,
            `${protocol} is not taken here: exporters without an endpoint reach nobody.`,
            'Start graphmind without --no-otlp-ports, or set OTEL_EXPORTER_OTLP_ENDPOINT.',
          )
        : fine(name, `Free for ${protocol}.`)
    case 'other':
      return note(
        name,
        `Another collector has the default port of ${protocol}: exporters without an endpoint send there.`,
        'Set OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4747 for the programs that should show up here.',
      )
  }
}
