import { askApi } from './ask-api.ts'
import { asList, asNumber, asObject, asText } from './guards.ts'
import { fetchApi } from './token.ts'

/** The files a run can be saved as. */
export const EXPORT_FORMATS = [
  { format: 'otlp-json', title: 'OTLP as JSON', detail: 'spans, for other tools' },
  { format: 'otlp-proto', title: 'OTLP as protobuf', detail: 'the same, small' },
  { format: 'ndjson', title: 'Events as NDJSON', detail: 'all of it, for GraphMind' },
  { format: 'html', title: 'HTML page', detail: 'with this viewer in it' },
] as const

export type ExportFormat = (typeof EXPORT_FORMATS)[number]['format']

/** Fetches the run as a file and hands it to the browser to save. Gives why it could not, undefined when it did. */
export async function saveRun(runId: string, format: ExportFormat): Promise<string | undefined> {
  try {
    const answer = await fetchApi(pathOf(runId, '', format))
    if (!answer.ok) return asText(asObject(await answer.json())?.['error']) ?? `The collector answered with ${answer.status}. Try again.`
    const url = URL.createObjectURL(await answer.blob())
    const link = document.createElement('a')
    link.href = url
    link.download = nameOf(answer.headers.get('content-disposition')) ?? `${runId}.${format}`
    link.click()
    // The browser reads the file in its own time.
    setTimeout(() => URL.revokeObjectURL(url), 60_000)
    return undefined
  } catch (error) {
    return `The run could not be fetched (${error instanceof Error ? error.message : String(error)}). Check that the collector runs.`
  }
}

/** What the saved file has a placeholder in place of, as "api_key (2), token (1)"; empty when it has everything. Undefined when that can't be told. */
export async function redactedIn(runId: string, format: ExportFormat): Promise<string | undefined> {
  const answer = await askApi(pathOf(runId, '/redacted', format))
  const redacted = answer.ok ? asList(asObject(answer.value)?.['redacted']) : undefined
  return redacted?.map((item) => `${asText(asObject(item)?.['key'])} (${asNumber(asObject(item)?.['count'])})`).join(', ')
}

function pathOf(runId: string, what: '' | '/redacted', format: ExportFormat): string {
  return `/api/runs/${encodeURIComponent(runId)}/export${what}?${new URLSearchParams({ format })}`
}

function nameOf(disposition: string | null): string | undefined {
  return /filename="([^"]+)"/.exec(disposition ?? '')?.[1]
}
