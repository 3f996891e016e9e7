import * as z from 'zod/mini'
import { compileCheck } from './compiled-check.ts'
import { CONTROLS } from './controls/index.ts'
import type { Envelope, KnownEnvelope } from './envelope.ts'
import { EVENTS } from './events/index.ts'
import { isStorableId, MAX_ID_LENGTH } from './ids.ts'
import { PROTOCOL_VERSION } from './version.ts'

/** What a frame turned out to be, in the order the contract resolves it. */
export type ParseResult =
  | { readonly outcome: 'ok'; readonly envelope: KnownEnvelope }
  | { readonly outcome: 'unknown-type'; readonly envelope: Envelope }
  | { readonly outcome: 'version-mismatch'; readonly gm: number }
  | { readonly outcome: 'invalid'; readonly reason: string; readonly issues: readonly ParseIssue[] }

export interface ParseIssue {
  readonly path: string
  readonly message: string
}

/** Largest accepted `ts`: the last day a JavaScript Date can hold. */
export const MAX_TS = 8.64e15

const header = z.looseObject({
  gm: z.number(),
  seq: z.int(),
  ts: z.number(),
  runId: z.string(),
  type: z.string(),
})

const hasHeader = compileCheck(header)
const payloads = new Map([...EVENTS, ...CONTROLS].map(({ type, payload }) => [type as string, { payload, fits: compileCheck(payload) }]))

/** Parses one text frame. Never throws: bad JSON is `invalid`. */
export function parseFrame(text: string): ParseResult {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return invalid('The frame is not JSON. Send one JSON envelope per text frame.')
  }
  return parseEnvelope(value)
}

/**
 * Parses one envelope: not envelope-shaped → `invalid`; foreign `gm` → `version-mismatch`; unfamiliar type → `unknown-type`;
 * known type with a bad payload → `invalid`; otherwise `ok`. Never throws (contract, "Forward compatibility").
 */
export function parseEnvelope(value: unknown): ParseResult {
  if (!hasHeader(value)) return invalid('Not an envelope: gm, seq, ts, runId and type are needed.', issuesOf(header, value))
  const { gm, seq, ts, runId, type, payload } = value as z.infer<typeof header>
  if (gm !== PROTOCOL_VERSION) return { outcome: 'version-mismatch', gm }
  if (seq < 0) return invalidField('seq', 'must not be negative')
  if (Math.abs(ts) > MAX_TS) return invalidField('ts', 'must be epoch milliseconds')
  if (!isStorableId(runId)) return invalidField('runId', `must be 1 to ${MAX_ID_LENGTH} characters without NUL or lone surrogates`)
  const envelope = { ...(value as Envelope), payload: payload ?? {} }
  const known = payloads.get(type)
  if (known === undefined) return { outcome: 'unknown-type', envelope }
  if (!known.fits(envelope.payload)) return invalid(`The payload of ${type} does not fit.`, issuesOf(known.payload, envelope.payload))
  return { outcome: 'ok', envelope: envelope as KnownEnvelope }
}

/** Whether a payload fits its type; that of an unfamiliar type is opaque. */
export function fitsPayload(type: string): (payload: unknown) => boolean {
  return payloads.get(type)?.fits ?? (() => true)
}

function invalid(reason: string, issues: readonly ParseIssue[] = []): ParseResult {
  return { outcome: 'invalid', reason, issues }
}

function invalidField(path: string, message: string): ParseResult {
  return invalid(`${path} ${message}.`, [{ path, message }])
}

function issuesOf(schema: z.ZodMiniType, value: unknown): readonly ParseIssue[] {
  const { error } = schema.safeParse(value)
  return (error?.issues ?? []).map((issue) => ({ path: issue.path.map(String).join('.'), message: issue.message }))
}
