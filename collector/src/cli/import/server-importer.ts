import { type IncomingMessage, request } from 'node:http'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { RunInfo } from '@graphmind-ai/schema'
import type { ImportProgress } from '../../import/import-job.ts'
import { isFields } from '../../otlp/read-value.ts'
import { failed, messageOf, ok, type Result } from '../../problem.ts'
import { headersFor, type RunningServer } from '../../store/database-lock.ts'
import type { FileOutcome, Importer, ImportListener } from './importer.ts'

/** Imports through a running server, which shows the runs at once. */
export function serverImporter(server: RunningServer): Importer {
  const { url } = server
  return {
    async importFile(file, bytes, listener) {
      try {
        return await outcomeOf(await upload(server, file, bytes), file, listener)
      } catch (error) {
        return failed('import', `${file} could not be sent to the server at ${url}: ${messageOf(error)}.`)
      }
    },
    close: () => Promise.resolve(),
  }
}

async function upload(server: RunningServer, file: string, bytes: AsyncIterable<Uint8Array>): Promise<IncomingMessage> {
  const headers = { accept: 'application/x-ndjson', 'content-type': 'application/octet-stream', ...headersFor(server) }
  const sending = request(`${server.url}/api/import?file=${encodeURIComponent(file)}`, { method: 'POST', headers })
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    sending.once('response', resolve)
    sending.once('error', reject)
  })
  const [response] = await Promise.all([answered, pipeline(Readable.from(bytes, { objectMode: false }), sending)])
  return response
}

function stored({ spans, events, logs, packing }: ImportProgress, listener: ImportListener): void {
  listener.stored(spans + events + logs, packing)
}

async function outcomeOf(response: IncomingMessage, file: string, listener: ImportListener): Promise<Result<FileOutcome>> {
  for await (const line of createInterface({ input: response, crlfDelay: Number.POSITIVE_INFINITY })) {
    const message: unknown = JSON.parse(line)
    if (!isFields(message)) continue
    const { progress, run, error, code } = message
    if (typeof error === 'string') return failed(typeof code === 'string' ? code : 'import', error)
    if (isFields(progress)) stored(progress as unknown as ImportProgress, listener)
    else if (isFields(run)) listener.run(run as unknown as RunInfo)
    else return ok(message as unknown as FileOutcome)
  }
  return failed('import', `The server ended while it was reading ${file}. What it had stored stays; import the file again for the rest.`)
}
