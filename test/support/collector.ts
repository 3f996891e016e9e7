import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Envelope, RunInfo } from '@graphmind-ai/schema'
import { type Program, root, startProgram } from './process.ts'

export interface RunningCollector {
  readonly url: string
  readonly ingestUrl: string
  readonly program: Program
  runs(): Promise<RunInfo[]>
  events(runId: string): Promise<Envelope[]>
  stop(): Promise<void>
}

/** Starts the built CLI as a user would, on a free port with a database of its own, or with the one in `folder`, which then stays. */
export async function startCollector(
  args: readonly string[] = [],
  options: { readonly env?: Record<string, string>; readonly folder?: string } = {},
): Promise<RunningCollector> {
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'graphmind-e2e-'))
  const program = startProgram(
    [
      join(root, 'collector', 'bin', 'graphmind.js'),
      'serve',
      '--port',
      '0',
      '--db',
      join(folder, 'graphmind.db'),
      '--no-open',
      '--no-otlp-ports',
      '--json',
      ...args,
    ],
    { env: options.env ?? {} },
  )
  const [, text = ''] = await program.line(/^(\{.*\})$/m)
  const { url } = JSON.parse(text) as { url: string }
  const read = async <T>(path: string): Promise<T> => {
    const token = options.env?.['GRAPHMIND_TOKEN']
    const answer = await fetch(`${url}${path}`, token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } })
    if (!answer.ok) throw new Error(`GET ${path} answered ${answer.status}: ${await answer.text()}`)
    return (await answer.json()) as T
  }
  return {
    url,
    ingestUrl: `${url.replace('http', 'ws')}/ingest`,
    program,
    runs: async () => (await read<{ runs: RunInfo[] }>('/api/runs')).runs,
    events: async (runId) => (await read<{ events: Envelope[] }>(`/api/runs/${runId}/events?limit=5000`)).events,
    stop: async () => {
      await program.stop()
      if (options.folder === undefined) rmSync(folder, { recursive: true, force: true })
    },
  }
}
