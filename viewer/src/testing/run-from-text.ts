import { createEnvelope, type Envelope, emptyRun, foldEnvelope, type NodeKind, type RunPicture } from '@graphmind-ai/schema'

export const RUN_ID = '0af7651916cd43dd8448eb211c80319c'
/** Epoch ms at which every pictured run begins. */
export const START = 1_700_000_000_000

export interface PicturedRun {
  readonly picture: RunPicture
  readonly envelopes: readonly Envelope[]
}

interface Line {
  readonly id: string
  readonly parent: string | undefined
  readonly kind: NodeKind
  readonly name: string
  readonly from: number
  readonly to: number | undefined
  readonly words: readonly string[]
}

const NODE_IDS: Partial<Record<NodeKind, (name: string) => string>> = { llm: () => 'llm:step' }

/**
 * A run as a picture: one line per call, indented under its parent, with `from-to` in ms (no `to`: still running).
 *
 *     agent planner      0-900
 *       llm draft        10-300  in:120 out:40
 *       tool search      310-450 error
 *       tool convert     460-880 paused:500-700
 *       tool book        890-    waits:895 unwatched until:5000
 *       tool lost         910-920 under:unknown
 *     hint tool publish
 *
 * The id of an instance is its name and its number among those of that name: `draft1`, `draft2`. Its input is `{ call: id }` and its
 * output `{ answer: id }`, unless `values` has others under that id.
 */
export function runFromText(text: string, values: Values = {}): PicturedRun {
  const events: { at: number; order: number; type: Parameters<typeof createEnvelope>[0]; payload: object }[] = []
  const add = (at: number, type: Parameters<typeof createEnvelope>[0], payload: object) =>
    events.push({ at, order: events.length, type, payload })
  add(0, 'run.started', { app: 'test', sdk: { name: 'test', version: '1' }, meta: { name: 'pictured' } })
  for (const hint of text.matchAll(/^\s*hint (\w+) (\S+)(?: under (\S+))?$/gm)) {
    const [, kind, name, parent] = hint
    add(0, 'graph.hint', { nodes: [{ nodeId: `${kind}:${name}`, kind, name, ...(parent === undefined ? {} : { parentId: parent }) }] })
  }
  for (const line of readLines(text)) addLine(line, values[line.id] ?? {}, add)
  events.sort((one, other) => one.at - other.at || one.order - other.order)
  const envelopes = events.map(
    ({ at, type, payload }, seq): Envelope => createEnvelope(type, payload as never, { runId: RUN_ID, seq, ts: START + at }),
  )
  const picture = emptyRun(RUN_ID)
  for (const envelope of envelopes) foldEnvelope(picture, envelope)
  return { picture, envelopes }
}

function readLines(text: string): readonly Line[] {
  const times = new Map<string, number>()
  const open: { indent: number; id: string }[] = []
  const lines: Line[] = []
  for (const raw of text.split('\n')) {
    const match = /^(\s*)(?!hint)(\w+)\s+(\S+)\s+(\d+)-(\d*)(.*)$/.exec(raw)
    if (match === null) continue
    const [, space = '', kind = 'custom', name = '', from = '0', to = '', rest = ''] = match
    const number = (times.get(name) ?? 0) + 1
    times.set(name, number)
    while ((open.at(-1)?.indent ?? -1) >= space.length) open.pop()
    const id = `${name}${number}`
    lines.push({
      id,
      parent: open.at(-1)?.id,
      kind: kind as NodeKind,
      name,
      from: Number(from),
      to: to === '' ? undefined : Number(to),
      words: rest.trim().split(/\s+/).filter(Boolean),
    })
    open.push({ indent: space.length, id })
  }
  return lines
}

type Values = Readonly<Record<string, { readonly input?: unknown; readonly output?: unknown }>>

function addLine(
  line: Line,
  value: Values[string],
  add: (at: number, type: Parameters<typeof createEnvelope>[0], payload: object) => void,
): void {
  const { id, kind, name, words, from, to } = line
  const word = (key: string) => words.find((candidate) => candidate.startsWith(`${key}:`))?.slice(key.length + 1)
  const nodeId = NODE_IDS[kind]?.(name) ?? `${kind}:${name}`
  const node = { nodeId, instanceId: id }
  const parent = word('under') ?? line.parent
  add(from, 'node.started', {
    ...node,
    kind,
    name,
    input: value.input ?? { call: id },
    ...(parent === undefined ? {} : { parentInstanceId: parent }),
  })
  const failed = words.includes('error')
  const error = { name: 'Error', message: `${name} broke`, stack: `Error: ${name} broke\n    at own (/app/tools.mjs:3:4)` }
  const pauses = [
    ...words.filter((candidate) => candidate.startsWith('paused:')),
    ...words.filter((candidate) => candidate.startsWith('waits:')),
  ]
  pauses.forEach((pause, index) => {
    const [since = '0', until] = pause.slice(pause.indexOf(':') + 1).split('-')
    const pauseId = `${id}-pause${index + 1}`
    add(Number(since), 'exec.paused', {
      ...node,
      pauseId,
      kind,
      name,
      point: word('at') ?? 'before',
      reason: word('at') === 'error' ? 'error' : 'breakpoint',
      matcher: word('at') === 'error' ? { point: 'error' } : { kind, point: 'before' },
      input: value.input ?? { call: id },
      ...(word('at') === 'error' ? { error } : {}),
      ...(word('actions') === undefined ? {} : { actions: word('actions')?.split(',') }),
      ...(words.includes('editable') ? { editable: true } : {}),
      ...(words.includes('unwatched') ? { watched: false } : {}),
      ...(word('until') === undefined ? {} : { deadlineMs: START + Number(word('until')) }),
    })
    if (until !== undefined) add(Number(until), 'exec.resumed', { pauseId, action: word('by') ?? 'continue', cause: 'viewer', ...node })
  })
  if (to === undefined) return
  if (failed) add(to, 'node.error', { ...node, error })
  const usage = word('in') === undefined ? {} : { usage: { inputTokens: Number(word('in')), outputTokens: Number(word('out') ?? 0) } }
  add(to, 'node.finished', {
    ...node,
    status: failed ? 'error' : 'ok',
    durationMs: to - from,
    ...(failed ? {} : { output: value.output ?? { answer: id } }),
    ...usage,
  })
}
