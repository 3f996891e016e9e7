import type { RunInfo } from '@graphmind-ai/schema'
import { asList, asNumber, asObject, asText } from './guards.ts'
import { readRunInfo } from './read-run-info.ts'
import { fetchApi } from './token.ts'

/** A line of the file that could not be read. */
export interface SkippedLine {
  readonly line: number | undefined
  readonly reason: string
}

/** What became of a file so far. */
export interface ImportResult {
  readonly runs: readonly RunInfo[]
  /** The first of them. */
  readonly skipped: readonly SkippedLine[]
  readonly skippedCount: number
  /** Records read so far: spans and log records, or events of a recorded run. */
  readonly records: number
  /** Why nothing, or nothing more, was read. */
  readonly problem: string | undefined
}

/** An import before its first answer. */
export const NOTHING_YET: ImportResult = { runs: [], skipped: [], skippedCount: 0, records: 0, problem: undefined }

/** Sends a trace file to the collector and tells what becomes of it, several times. Never throws. */
export async function importFile(file: File, tell: (result: ImportResult) => void): Promise<ImportResult> {
  let result = NOTHING_YET
  const take = (line: string) => {
    result = withLine(result, line)
    tell(result)
  }
  try {
    const path = `/api/import?${new URLSearchParams({ file: file.name })}`
    const answer = await fetchApi(path, { method: 'POST', body: file, headers: { accept: 'application/x-ndjson' } })
    await eachLine(answer, take)
    if (!answer.ok && result.problem === undefined)
      result = { ...result, problem: `The collector answered with ${answer.status}. Try again.` }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    result = { ...result, problem: `The file could not be sent (${reason}). Check that the collector runs, then drop it again.` }
  }
  return result
}

/** The result with what one line of the collector's answer adds. */
export function withLine(result: ImportResult, line: string): ImportResult {
  const said = asObject(parsed(line))
  if (said === undefined) return result
  const problem = asText(said['error'])
  if (problem !== undefined) return { ...result, problem }
  const run = readRunInfo(said['run'])
  if (run !== undefined) return { ...result, runs: [...result.runs, run] }
  const counts = asObject(said['progress']) ?? said
  const records = ['spans', 'events', 'logs'].reduce((sum, kind) => sum + (asNumber(counts[kind]) ?? 0), 0)
  const skipped = asList(said['skipped'])
  if (skipped === undefined) return { ...result, records }
  return {
    ...result,
    records,
    skipped: skipped.flatMap((item) => readSkipped(item) ?? []),
    skippedCount: asNumber(said['skippedCount']) ?? 0,
  }
}

function readSkipped(value: unknown): SkippedLine | undefined {
  const skipped = asObject(value)
  const reason = asText(skipped?.['reason'])
  return reason === undefined ? undefined : { line: asNumber(skipped?.['line']), reason }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    // A line that is no JSON says nothing to us.
    return undefined
  }
}

async function eachLine(answer: Response, take: (line: string) => void): Promise<void> {
  if (answer.body === null) return
  let rest = ''
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader()
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    const lines = (rest + piece.value).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) take(line)
  }
  if (rest !== '') take(rest)
}
