import type { Envelope, RunInfo } from '@graphmind-ai/schema'

/** What `graphmind record --html` puts into the page, as JSON in `<script id="graphmind-run">`. */
export interface RecordedRun {
  readonly info: RunInfo
  /** Epoch ms. */
  readonly writtenAt: number
  readonly version: string
  readonly envelopes: readonly Envelope[]
}

/** Takes the run out of the page. Throws when the page is broken: nothing could be shown then. */
export function readRecordedRun(page: Document): RecordedRun {
  const text = page.getElementById('graphmind-run')?.textContent ?? ''
  if (text === '') throw new Error('This page has no recorded run in it. Write it again: graphmind record RUN --html.')
  return JSON.parse(text) as RecordedRun
}
