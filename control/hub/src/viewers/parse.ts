import { isStorableId, type KnownEnvelope, parseEnvelope } from '@graphmind-ai/schema'

/** The controls that a viewer may send; hello.ack is the hub's own word. */
export type ViewerControl = Extract<KnownEnvelope, { type: 'exec.resume' | 'breakpoint.set' | 'breakpoint.clear' | 'mode.set' }>

export interface Subscribe {
  readonly type: 'subscribe'
  readonly runId: string
  /** Only what was stored after this. */
  readonly afterSeq: number | undefined
  /** Whether the events carry what went in and came out of calls. */
  readonly payloads: 'all' | 'none'
  /** The viewer reads frames of many events. */
  readonly batch: boolean
  /** The viewer reads sheets. */
  readonly sheets: boolean
}

export type ViewerMessage =
  | Subscribe
  | { readonly type: 'unsubscribe'; readonly runId: string }
  | { readonly type: 'control'; readonly envelope: ViewerControl }

export type ViewerParse = { readonly ok: true; readonly value: ViewerMessage } | { readonly ok: false; readonly problem: string }

/** Parses one frame of a viewer. Never throws. */
export function parseViewerMessage(text: string): ViewerParse {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return bad('The frame is not JSON. Send one JSON object per text frame.')
  }
  if (typeof value !== 'object' || value === null || !('type' in value)) return bad('A message is an object with a type.')
  switch (value.type) {
    case 'subscribe':
    case 'unsubscribe':
      return parseSubscription(value.type, value)
    case 'control':
      return parseControl('envelope' in value ? value.envelope : undefined)
    default:
      return bad('Unknown type. Send subscribe, unsubscribe or control.')
  }
}

function parseSubscription(type: 'subscribe' | 'unsubscribe', value: object): ViewerParse {
  const runId = 'runId' in value ? value.runId : undefined
  if (typeof runId !== 'string' || !isStorableId(runId)) return bad(`${type} needs a runId, or "*" for the list of runs.`)
  if (type === 'unsubscribe') return { ok: true, value: { type, runId } }
  const afterSeq = 'afterSeq' in value ? value.afterSeq : undefined
  if (afterSeq !== undefined && !(typeof afterSeq === 'number' && Number.isSafeInteger(afterSeq)))
    return bad('afterSeq must be a whole number.')
  const payloads = 'payloads' in value ? value.payloads : undefined
  if (payloads !== undefined && payloads !== 'none' && payloads !== 'all') return bad('payloads must be "none" or left out.')
  const batch = 'batch' in value ? value.batch : undefined
  if (batch !== undefined && typeof batch !== 'boolean') return bad('batch must be true or left out.')
  const sheets = 'sheets' in value ? value.sheets : undefined
  if (sheets !== undefined && typeof sheets !== 'boolean') return bad('sheets must be true or left out.')
  return { ok: true, value: { type, runId, afterSeq, payloads: payloads ?? 'all', batch: batch ?? false, sheets: sheets ?? false } }
}

function parseControl(value: unknown): ViewerParse {
  const result = parseEnvelope(value)
  switch (result.outcome) {
    case 'ok':
      return isViewerControl(result.envelope)
        ? { ok: true, value: { type: 'control', envelope: result.envelope } }
        : bad(`A viewer can't send ${result.envelope.type}.`)
    case 'unknown-type':
      return bad(`This server does not know the control ${result.envelope.type}.`)
    case 'version-mismatch':
      return bad(`The control is of protocol ${result.gm}. Reload the page.`)
    case 'invalid':
      return bad(`The control can't be read. ${result.reason}`)
  }
}

function isViewerControl(envelope: KnownEnvelope): envelope is ViewerControl {
  return (
    envelope.type === 'exec.resume' ||
    envelope.type === 'breakpoint.set' ||
    envelope.type === 'breakpoint.clear' ||
    envelope.type === 'mode.set'
  )
}

function bad(problem: string): ViewerParse {
  return { ok: false, problem }
}
