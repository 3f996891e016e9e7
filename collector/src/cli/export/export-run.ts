import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { exportName } from '../../export/export-name.ts'
import type { ExportFormat } from '../../export/format.ts'
import { DEFAULT_EXPORT_FORMAT, exportFormat } from '../../export/formats.ts'
import { hasRawParts } from '../../export/has-raw-parts.ts'
import { html } from '../../export/html.ts'
import { ndjson } from '../../export/ndjson.ts'
import { SecretMask } from '../../export/secrets.ts'
import { failed, messageOf, ok, type Result } from '../../problem.ts'
import type { Cli } from '../cli.ts'
import { openRecords, readableRun } from '../runs/records.ts'
import { printable } from '../show/printable.ts'

interface FileFlags {
  readonly out?: string
  readonly db?: string
  /** False after --no-redact-secrets. */
  readonly redactSecrets: boolean
}

export interface ExportFlags extends FileFlags {
  readonly format?: string
}

export interface RecordFlags extends FileFlags {
  readonly html?: boolean
}

/** `graphmind export`: one run in the format asked for, to a file, or to `stdout` when no --out is given. */
export async function exportRun(runId: string, flags: ExportFlags, cli: Cli, stdout: NodeJS.WritableStream): Promise<Result<undefined>> {
  const format = exportFormat(flags.format ?? DEFAULT_EXPORT_FORMAT)
  return format.ok ? write(runId, format.value, flags, flags.out ?? stdout, cli) : format
}

/** `graphmind record`: one run’s events as NDJSON, or as a page with the viewer in it, to a file that is named after the run unless --out names it. */
export function recordRun(runId: string, flags: RecordFlags, cli: Cli): Promise<Result<undefined>> {
  const format = flags.html === true ? html : ndjson
  return write(runId, format, flags, flags.out ?? exportName(runId, format.extension), cli)
}

async function write(
  runId: string,
  format: ExportFormat,
  flags: FileFlags,
  target: string | NodeJS.WritableStream,
  { console, environment }: Cli,
): Promise<Result<undefined>> {
  const records = await openRecords(flags, environment)
  if (!records.ok) return records
  const { database, close } = records.value
  const mask = flags.redactSecrets ? new SecretMask() : undefined
  try {
    const run = await readableRun(records.value, runId)
    if (!run.ok) return run
    const pieces = Readable.from(format.write(database, run.value, mask), { objectMode: true })
    if (typeof target === 'string') await pipeline(pieces, createWriteStream(target, { mode: 0o600 }))
    else await pipeline(pieces, target, { end: false })
    if (typeof target === 'string') console.err(`Run ${printable(runId)} is in ${target}, with all its prompts and payloads.`)
    for (const line of maskWords(mask)) console.err(line)
    if (format.isRaw === true && !(await hasRawParts(database, run.value)))
      console.err(`Run ${printable(runId)} has no spans: an app reported it without OpenTelemetry. --format ndjson has its events.`)
    return ok(undefined)
  } catch (error) {
    return failed('export', `Run ${printable(runId)} could not be written: ${messageOf(error)}.`)
  } finally {
    await close()
  }
}

function maskWords(mask: SecretMask | undefined): readonly string[] {
  if (mask === undefined) return ['Nothing was redacted: values under keys like authorization and api_key are as recorded.']
  const keys = [...mask.counts].map(([key, count]) => `${printable(key)} (${count})`)
  if (keys.length === 0) return []
  return [
    `Redacted the values under these keys: ${keys.join(', ')}. --no-redact-secrets keeps them. A secret inside a text stays as recorded.`,
  ]
}
