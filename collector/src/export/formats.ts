import { failed, ok, type Result } from '../problem.ts'
import type { ExportFormat } from './format.ts'
import { html } from './html.ts'
import { ndjson } from './ndjson.ts'
import { otlpJson } from './otlp-json.ts'
import { otlpProto } from './otlp-proto.ts'

const EXPORT_FORMATS: ReadonlyMap<string, ExportFormat> = new Map([
  ['otlp-json', otlpJson],
  ['otlp-proto', otlpProto],
  ['ndjson', ndjson],
  ['html', html],
])

/** What an export is written as when no format is named. */
export const DEFAULT_EXPORT_FORMAT = 'otlp-json'
const EXPORT_FORMAT_NAMES = [...EXPORT_FORMATS.keys()].join(', ')

/** The format of this name; a problem that lists all of them when there is none. */
export function exportFormat(name: string): Result<ExportFormat> {
  const format = EXPORT_FORMATS.get(name)
  return format === undefined
    ? failed('export-format', `There is no export format "${name}". Use one of: ${EXPORT_FORMAT_NAMES}.`)
    : ok(format)
}
