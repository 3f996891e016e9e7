import type { RunningCollector } from '../../support/collector.ts'
import { eventually } from '../../support/eventually.ts'
import { FrameTarget } from './frame-target.ts'
import { HttpTarget } from './http-target.ts'
import { Random } from './random.ts'
import { type FuzzRequest, nextRequest } from './requests.ts'
import type { Seeds } from './seeds.ts'

export interface FuzzReport {
  readonly requests: number
  readonly frames: number
  /** How often each status came. */
  readonly statuses: Readonly<Record<string, number>>
  /** What must not happen, the first few, with how to repeat it. */
  readonly problems: readonly string[]
}

const CONNECTIONS = 8
const FRAMES_AT_ONCE = 20
const MAX_PROBLEMS = 10

/** Sends mutated requests and frames, half of each, from several connections at once. */
export async function fuzz(collector: RunningCollector, seeds: Seeds, count: number, seed: number): Promise<FuzzReport> {
  const statuses: Record<string, number> = {}
  const problems: string[] = []
  const http = new HttpTarget(collector.url)
  let requests = 0
  let frames = 0
  const shares = Array.from({ length: CONNECTIONS }, (_, index) => new Random(seed * 1000 + index))
  const half = count / 2
  const isOver = () => problems.length >= MAX_PROBLEMS || collector.program.child.exitCode !== null

  const post = async (random: Random) => {
    while (requests < half && !isOver()) {
      requests += 1
      const request = nextRequest(random, seeds)
      const reply = await http.send(request)
      const status = 'status' in reply ? String(reply.status) : reply.failure
      statuses[status] = (statuses[status] ?? 0) + 1
      const problem = problemOf(reply)
      if (problem !== undefined) problems.push(`${problem}: ${describe(request)}`)
    }
  }
  const talk = async (random: Random, path: '/ingest' | '/ws/ui') => {
    const target = new FrameTarget(collector.url, path, random, seeds)
    while (frames < half && !isOver()) {
      frames += FRAMES_AT_ONCE
      const problem = await target.send(FRAMES_AT_ONCE)
      if (problem !== undefined) problems.push(problem)
    }
    target.close()
  }
  const paths = ['/ingest', '/ws/ui'] as const
  await Promise.all([...shares.map(post), ...paths.map((path, index) => talk(new Random(seed * 1000 + CONNECTIONS + index), path))])
  http.close()
  return { requests, frames, statuses, problems: [...problems, ...(await aftermath(collector))] }
}

function problemOf(reply: Awaited<ReturnType<HttpTarget['send']>>): string | undefined {
  if ('status' in reply) return reply.status >= 500 ? `status ${reply.status}` : undefined
  return reply.failure === 'closed' ? undefined : `${reply.failure}, ${reply.message}`
}

function describe({ method, path, headers, body }: FuzzRequest): string {
  const bytes = body === undefined ? '' : Buffer.from(body).toString('base64')
  return `${method} ${path} ${JSON.stringify(headers)} ${bytes.slice(0, 6000)}`
}

/** The collector is still there, takes a span and shows it; and it has met nothing that it did not expect. */
async function aftermath({ url, program }: RunningCollector): Promise<readonly string[]> {
  if (program.child.exitCode !== null) return [`the collector ended with ${program.child.exitCode}:\n${program.output().slice(-3000)}`]
  const traceId = Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString('hex')
  const span = { traceId, spanId: '00000000000000a1', name: 'after', startTimeUnixNano: '1', endTimeUnixNano: '2' }
  const answer = await fetch(`${url}/v1/traces`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] }),
  })
  if (answer.status !== 200) return [`a good span was answered with ${answer.status}: ${await answer.text()}`]
  await eventually(async () => ((await fetch(`${url}/api/runs/${traceId}/spans`)).status === 200 ? true : undefined), 'the span to show')
  const unexpected = /^.*(?:was rejected|failed):?[\s\S]{0,600}?\n {4}at .*$/m.exec(program.output())
  return unexpected === null ? [] : [`the collector met what it did not expect:\n${unexpected[0].slice(0, 2000)}`]
}
