import { type Envelope, emptyRun, foldEnvelope, type InstancePicture, type RunInfo, type RunPicture } from '@graphmind-ai/schema'

export interface StoredSpan {
  readonly spanId: string
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[]
}

/** A run as the product gives it out. */
export interface ShownRun {
  readonly info: RunInfo
  readonly picture: RunPicture
  readonly instances: readonly InstancePicture[]
  readonly spans: readonly StoredSpan[]
}

export interface ShownRuns {
  /** Earliest start first. */
  readonly runs: readonly ShownRun[]
  /** Every byte the server answered with. */
  readonly raw: Buffer
}

/** Reads everything back that a server has to show, through its public API. */
export async function shownRuns(url: string): Promise<ShownRuns> {
  const pieces: Buffer[] = []
  const read = async <Body>(path: string): Promise<Body> => {
    const answer = await fetch(`${url}${path}`)
    const bytes = Buffer.from(await answer.arrayBuffer())
    if (!answer.ok) throw new Error(`GET ${path} answered ${answer.status}: ${bytes.toString()}`)
    pieces.push(bytes)
    return JSON.parse(bytes.toString('utf8')) as Body
  }
  const { runs: infos } = await read<{ runs: RunInfo[] }>('/api/runs')
  const runs: ShownRun[] = []
  for (const info of infos) {
    if (info.mergedInto !== undefined) continue
    const { events } = await read<{ events: Envelope[] }>(`/api/runs/${info.id}/events?limit=5000`)
    const { spans } = await read<{ spans: StoredSpan[] }>(`/api/runs/${info.id}/spans?limit=5000`)
    const picture = emptyRun(info.id)
    for (const event of events) foldEnvelope(picture, event)
    runs.push({ info, picture, instances: [...picture.instances.values()], spans })
  }
  runs.sort((one, other) => one.info.startedAt - other.info.startedAt)
  return { runs, raw: Buffer.concat(pieces) }
}
