import type { Envelope } from '@graphmind-ai/schema'
import type { Kysely } from 'kysely'
import { allEvents } from '../store/reads/events.ts'
import type { Tables } from '../store/tables.ts'
import { isSecretKey, type SecretMask } from './secrets.ts'

interface TokenPayload {
  readonly instanceId?: string
  readonly deltas: readonly { readonly t: string; readonly v: string }[]
}

/**
 * How to write a `node.token` line of this run. Streamed tool arguments come in pieces in which no key stands whole, so those of a call that
 * has a secret key anywhere are left empty as a whole.
 */
export async function maskStreams(database: Kysely<Tables>, run: number, mask: SecretMask): Promise<(line: string) => string> {
  const texts = new Map<string, string>()
  for await (const { type, payload } of allEvents(database, run)) {
    if (type !== 'node.token' || !payload.includes('"tool-args"')) continue
    const { instanceId = '', deltas } = JSON.parse(payload) as TokenPayload
    const pieces = deltas.map(({ t, v }) => (t === 'tool-args' ? v : '')).join('')
    texts.set(instanceId, (texts.get(instanceId) ?? '') + pieces)
  }
  const secret = new Set<string>()
  for (const [instanceId, text] of texts) {
    for (const [, key = ''] of text.matchAll(/"((?:[^"\\]|\\.)*)"\s*:/g)) {
      if (!isSecretKey(key)) continue
      mask.replaced(key)
      secret.add(instanceId)
    }
  }
  return (line) => {
    if (secret.size === 0) return line
    const envelope: Envelope & { readonly payload: TokenPayload } = JSON.parse(line)
    if (!secret.has(envelope.payload.instanceId ?? '')) return line
    const deltas = envelope.payload.deltas.map((delta) => (delta.t === 'tool-args' ? { ...delta, v: '' } : delta))
    return JSON.stringify({ ...envelope, payload: { ...envelope.payload, deltas } })
  }
}
