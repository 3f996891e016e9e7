import { parseEnvelope } from '@graphmind-ai/schema'
import { failed, ok } from '../../problem.ts'
import { jsonOf } from '../values/attributes.ts'
import type { TraceFormat } from './format.ts'

/** Our own NDJSON: one wire envelope a line, with the event's `origin` where this generation wrote it. */
export const events: TraceFormat = {
  name: 'GraphMind NDJSON',

  claims: ({ gm, runId, type }) => gm !== undefined && runId !== undefined && type !== undefined,

  read(fields) {
    // Long integers in payloads travel as decimal text, as they do in our own events.
    const parsed = parseEnvelope(JSON.parse(jsonOf(fields)))
    switch (parsed.outcome) {
      case 'ok':
      case 'unknown-type':
        return ok({ kind: 'event', envelope: parsed.envelope, origin: originOf(fields['origin']) })
      case 'version-mismatch':
        return failed('import-version', `an event is of protocol version ${parsed.gm}; this GraphMind reads version 1`)
      case 'invalid':
        return failed('import-event', `an event can't be read: ${parsed.reason}`)
    }
  },
}

function originOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= 512 && value.isWellFormed() ? value : undefined
}
