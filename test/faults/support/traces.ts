import type { RunningCollector } from '../../support/collector.ts'

export interface SentRun {
  readonly traceId: string
  readonly spanCount: number
}

export interface Delivery {
  /** Undefined when the collector went away before it answered. */
  readonly status: number | undefined
  readonly retryAfter: string | null
  readonly text: string
}

/** A request of some runs, each an agent with model calls under it; `payloadBytes` of text in each span. */
export function traceRequest(
  runs: number,
  spansEach: number,
  payloadBytes = 200,
): { readonly runs: readonly SentRun[]; readonly body: string } {
  const sent = Array.from({ length: runs }, () => ({ traceId: randomHex(16), spanCount: spansEach }))
  const spans = sent.flatMap(({ traceId }) => {
    const rootId = randomHex(8)
    return Array.from({ length: spansEach }, (_, index) => ({
      traceId,
      spanId: index === 0 ? rootId : randomHex(8),
      ...(index === 0 ? {} : { parentSpanId: rootId }),
      name: index === 0 ? 'invoke_agent planner' : `chat model ${index}`,
      kind: 1,
      startTimeUnixNano: `${1_767_225_600_000 + index}000000`,
      endTimeUnixNano: `${1_767_225_600_100 + index}000000`,
      attributes: [
        { key: 'gen_ai.operation.name', value: { stringValue: index === 0 ? 'invoke_agent' : 'chat' } },
        { key: 'gen_ai.input.messages', value: { stringValue: JSON.stringify([{ role: 'user', content: randomText(payloadBytes) }]) } },
      ],
    }))
  })
  return { runs: sent, body: JSON.stringify({ resourceSpans: [{ scopeSpans: [{ scope: { name: 'faults' }, spans }] }] }) }
}

/** A run that has begun and not ended, as our processor tells it. */
export function openTrace(): { readonly traceId: string; readonly body: string } {
  const traceId = randomHex(16)
  const attribute = (key: string, stringValue: string) => ({ key, value: { stringValue } })
  const span = {
    traceId,
    spanId: randomHex(8),
    name: 'invoke_agent planner',
    kind: 1,
    startTimeUnixNano: `${Date.now()}000000`,
    attributes: [attribute('gen_ai.operation.name', 'invoke_agent'), attribute('graphmind.span.phase', 'start')],
  }
  return { traceId, body: JSON.stringify({ resourceSpans: [{ scopeSpans: [{ scope: { name: 'faults' }, spans: [span] }] }] }) }
}

export async function deliver(url: string, body: string): Promise<Delivery> {
  try {
    const answer = await fetch(`${url}/v1/traces`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    return { status: answer.status, retryAfter: answer.headers.get('retry-after'), text: await answer.text() }
  } catch {
    // Killed in the middle of it.
    return { status: undefined, retryAfter: null, text: '' }
  }
}

/** The runs of which not every span is there. */
export async function incomplete({ url }: RunningCollector, runs: readonly SentRun[]): Promise<readonly SentRun[]> {
  const missing: SentRun[] = []
  for (const run of runs) {
    const answer = await fetch(`${url}/api/runs/${run.traceId}/spans?limit=10000`)
    const { spans } = answer.status === 200 ? ((await answer.json()) as { spans: readonly unknown[] }) : { spans: [] }
    if (spans.length < run.spanCount) missing.push(run)
  }
  return missing
}

function randomHex(bytes: number): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(bytes))).toString('hex')
}

/** Text that doesn't compress, so that a full disk is really full. */
function randomText(bytes: number): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(Math.ceil(bytes * 0.75)))).toString('base64')
}
