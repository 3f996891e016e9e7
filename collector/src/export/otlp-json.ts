import type { OtlpResource, OtlpScope } from '../otlp/otlp-json.ts'
import type { ExportFormat } from './format.ts'
import { logGroups } from './log-groups.ts'
import { spanGroups } from './span-groups.ts'

/** One OTLP/JSON document, as every OpenTelemetry tool reads it. Log records stand beside the spans, where there are any. */
export const otlpJson: ExportFormat = {
  contentType: 'application/json',
  extension: 'json',
  isRaw: true,

  async *write(database, run, mask) {
    const shown = (json: string) => mask?.json(json) ?? json
    let opening = '{"resourceSpans":['
    for await (const groups of spanGroups(database, run.key))
      for (const { resource, scope, spans } of groups) {
        const { inResource, inScope } = surroundings(resource, scope, shown)
        yield `${opening}{${inResource},"scopeSpans":[{${inScope},"spans":[${spans.map(shown).join(',\n')}]}]}`
        opening = ',\n'
      }
    yield opening === ',\n' ? ']' : `${opening}]`
    opening = ',\n"resourceLogs":['
    for await (const groups of logGroups(database, run))
      for (const { resource, scope, records } of groups) {
        const { inResource, inScope } = surroundings(resource, scope, shown)
        const written = records.map((record) => shown(JSON.stringify(record))).join(',\n')
        yield `${opening}{${inResource},"scopeLogs":[{${inScope},"logRecords":[${written}]}]}`
        opening = ',\n'
      }
    yield opening === ',\n' ? ']}\n' : '}\n'
  },
}

/** The first fields of both groups; what follows them is read with them known. */
function surroundings(
  { schemaUrl: resourceSchema, ...resource }: OtlpResource,
  { schemaUrl: scopeSchema, ...scope }: OtlpScope,
  shown: (json: string) => string,
): { readonly inResource: string; readonly inScope: string } {
  return {
    inResource: `${schemaUrl(resourceSchema)}"resource":${shown(JSON.stringify(resource))}`,
    inScope: `${schemaUrl(scopeSchema)}"scope":${shown(JSON.stringify(scope))}`,
  }
}

function schemaUrl(url: string | undefined): string {
  return url === undefined ? '' : `"schemaUrl":${JSON.stringify(url)},`
}
