import type { ExportFormat } from './format.ts'
import { spanGroups } from './span-groups.ts'

/** One OTLP/JSON document, as every OpenTelemetry tool reads it. */
export const otlpJson: ExportFormat = {
  contentType: 'application/json',
  extension: 'json',

  async *write(database, run, mask) {
    const shown = (json: string) => mask?.json(json) ?? json
    let separator = ''
    yield '{"resourceSpans":['
    for await (const groups of spanGroups(database, run.key)) {
      for (const { resource, scope, spans } of groups) {
        const { schemaUrl: resourceSchema, ...resourceFields } = resource
        const { schemaUrl: scopeSchema, ...scopeFields } = scope
        // Schema URLs stand in front, so that a reader has them before the spans.
        const scopeGroup = `{${schemaUrl(scopeSchema)}"scope":${shown(JSON.stringify(scopeFields))},"spans":[${spans.map(shown).join(',\n')}]}`
        yield `${separator}{${schemaUrl(resourceSchema)}"resource":${shown(JSON.stringify(resourceFields))},"scopeSpans":[${scopeGroup}]}`
        separator = ',\n'
      }
    }
    yield ']}\n'
  },
}

function schemaUrl(url: string | undefined): string {
  return url === undefined ? '' : `"schemaUrl":${JSON.stringify(url)},`
}
