import { type NodeKind, nodesOf, type RunInfo, type RunPicture } from '@graphmind-ai/schema'
import { ago } from './format.ts'
import { instanceToShow } from './rows.ts'
import { STATE_WORDS } from './states.ts'

/** Something that can be gone to from the palette. */
export interface PalettePlace {
  readonly key: string
  readonly type: 'run' | 'node' | 'step'
  readonly kind: NodeKind | 'run'
  readonly title: string
  readonly detail: string
  /** A run's id for a run, else the instance to select. */
  readonly target: string
}

/** More places than this are of no use in a list. */
const MOST_PLACES = 40

/** Whether all words are in the text, in any order. */
export function hasWords(text: string, words: readonly string[]): boolean {
  const lower = text.toLowerCase()
  return words.every((word) => lower.includes(word))
}

/** How well a title fits what was typed, less is better: it begins with it, a word of it does, it is somewhere in it, or only around it. */
export function fitOf(title: string, words: readonly string[]): number {
  const lower = title.toLowerCase()
  const typed = words.join(' ')
  if (lower === typed) return 0
  if (lower.startsWith(typed)) return 1
  if (words.every((word) => lower.split(/[\s_./-]+/).some((part) => part.startsWith(word)))) return 2
  return hasWords(lower, words) ? 3 : 4
}

/** What the server is asked for runs with what was typed, in its filter language; undefined where runs are not what is looked for. */
export function runsWithWords(query: string): string | undefined {
  if (/^[@:]/.test(query)) return undefined
  const words = query.replace(/^#/, '').split(/\s+/).filter(Boolean)
  return words.length === 0 ? undefined : words.map((word) => `"${word.replaceAll(/["\\]/g, '\\$&')}"`).join(' ')
}

/** Runs after `#`, nodes after `@`, steps after `:`; without a sign, runs and nodes whose name has all words. */
export function palettePlaces(
  query: string,
  runs: Iterable<RunInfo>,
  picture: RunPicture | undefined,
  nowMs: number,
): readonly PalettePlace[] {
  const sign = /^[#@:]/.exec(query)?.[0]
  const words = query
    .replace(/^[#@:]/, '')
    .toLowerCase()
    .split(/\s+/)
    .filter(Boolean)
  if (sign === undefined && words.length === 0) return []
  const places: PalettePlace[] = []
  if (picture !== undefined && (sign === '@' || sign === undefined)) {
    for (const node of nodesOf(picture)) {
      const target = instanceToShow(picture, node)
      if (target === undefined || !hasWords(`${node.kind} ${node.name}`, words)) continue
      places.push({
        key: `node ${node.nodeId}`,
        type: 'node',
        kind: node.kind,
        title: node.name,
        detail: `${node.kind}, ran ${node.instanceIds.length}×`,
        target,
      })
      if (places.length >= MOST_PLACES) return places
    }
  }
  if (picture !== undefined && sign === ':') {
    for (const instance of picture.instances.values()) {
      if (!hasWords(`${instance.kind} ${instance.name} ${instance.id}`, words)) continue
      const detail = `${instance.kind}, ${STATE_WORDS[instance.status].toLowerCase()}, ${instance.id}`
      places.push({ key: `step ${instance.id}`, type: 'step', kind: instance.kind, title: instance.name, detail, target: instance.id })
      if (places.length >= MOST_PLACES) return places
    }
  }
  if (sign === '#' || sign === undefined) {
    for (const run of runs) {
      if (run.mergedInto !== undefined || !hasWords(`${run.name} ${run.app} ${run.id}`, words)) continue
      places.push({
        key: `run ${run.id}`,
        type: 'run',
        kind: 'run',
        title: run.name,
        detail: `run, ${STATE_WORDS[run.status].toLowerCase()}, ${ago(run.startedAt, nowMs)}${sign === '#' ? `, ${run.id}` : ''}`,
        target: run.id,
      })
      if (places.length >= MOST_PLACES) return places
    }
  }
  return places
}
