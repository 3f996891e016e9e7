import type { NodeKind } from '@graphmind-ai/schema'
import type { Environment } from '../switches.ts'

/** What is done about identical calls in a row: hold the next one, say so once, or nothing. */
export type LoopMode = 'pause' | 'warn' | 'off'

/** The `loopGuard` option. */
export interface LoopGuardOptions {
  /** From how many identical calls in a row on; 3. 0 turns the guard off. */
  readonly threshold?: number | undefined
  readonly mode?: LoopMode | undefined
  /** Names or node ids of nodes that may repeat themselves: pollers. They are not watched at all. */
  readonly allowNodes?: readonly string[] | undefined
  /** Keys that make no difference, at any depth; `_meta`. */
  readonly ignoreKeys?: readonly string[] | undefined
  /** Watched kinds; `tool`. */
  readonly kinds?: readonly NodeKind[] | undefined
}

export interface LoopSettings {
  readonly threshold: number
  readonly mode: 'pause' | 'warn'
  readonly allowNodes: ReadonlySet<string>
  readonly ignoreKeys: ReadonlySet<string>
  readonly kinds: ReadonlySet<string>
}

const OFF_WORDS = new Set(['off', '0', 'false', 'none'])

/**
 * The guard's settings, or undefined when it is off. GRAPHMIND_LOOP_THRESHOLD and GRAPHMIND_ON_LOOP beat the option, for whoever runs
 * a program may not be able to change it; GRAPHMIND_LOOP_ALLOW adds names. `loopGuard: false` is final.
 */
export function readLoopSettings(option: LoopGuardOptions | false | undefined, environment: Environment): LoopSettings | undefined {
  if (option === false) return undefined
  const threshold = readThreshold(environment['GRAPHMIND_LOOP_THRESHOLD']) ?? option?.threshold ?? 3
  const mode = readMode(environment['GRAPHMIND_ON_LOOP']) ?? option?.mode ?? 'pause'
  if (mode === 'off' || !Number.isInteger(threshold) || threshold < 1) return undefined
  const allowed = (environment['GRAPHMIND_LOOP_ALLOW'] ?? '').split(',').map((name) => name.trim())
  return {
    threshold,
    mode,
    allowNodes: new Set([...(option?.allowNodes ?? []), ...allowed.filter((name) => name !== '')]),
    ignoreKeys: new Set(option?.ignoreKeys ?? ['_meta']),
    kinds: new Set(option?.kinds ?? ['tool']),
  }
}

function readThreshold(text: string | undefined): number | undefined {
  return text !== undefined && /^\s*\d{1,6}\s*$/.test(text) ? Number(text) : undefined
}

function readMode(text: string | undefined): LoopMode | undefined {
  const word = text?.trim().toLowerCase()
  if (word === undefined || word === '') return undefined
  if (word === 'warn') return 'warn'
  return OFF_WORDS.has(word) ? 'off' : 'pause'
}
