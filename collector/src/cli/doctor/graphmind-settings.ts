import { activeSwitches, isEnabled, isOn, readHideSwitches } from '@graphmind-ai/client'
import type { Environment } from '../settings.ts'
import { type Check, fine, note, problem } from './check.ts'

const NAME = 'graphmind settings'
/** Every variable that a part of GraphMind reads. */
const KNOWN = new Set([
  'GRAPHMIND',
  'GRAPHMIND_URL',
  'GRAPHMIND_TOKEN',
  'GRAPHMIND_DISABLED',
  'GRAPHMIND_WAIT_FOR_ATTACH_MS',
  'GRAPHMIND_HIDE_INPUTS',
  'GRAPHMIND_HIDE_OUTPUTS',
  'GRAPHMIND_HIDE_TOOL_ARGS',
  'GRAPHMIND_HIDE_TOOL_RESULTS',
  'GRAPHMIND_DISABLE_EDIT_INPUT',
  'GRAPHMIND_BREAK_ON_ERROR_RESULT',
  'GRAPHMIND_BREAK_ON_TRUNCATED',
  'GRAPHMIND_ON_LOOP',
  'GRAPHMIND_LOOP_THRESHOLD',
  'GRAPHMIND_LOOP_ALLOW',
  'GRAPHMIND_HOST',
  'GRAPHMIND_DB',
  'GRAPHMIND_PAUSE_ON_ERROR',
  'GRAPHMIND_ABANDON_GRACE_MS',
  'GRAPHMIND_ALLOWED_HOSTS',
  'GRAPHMIND_ALLOWED_ORIGINS',
  'GRAPHMIND_VIEWER_DIST',
  'GRAPHMIND_DEMO_AGENT_DIR',
])

/** What GRAPHMIND_* and NODE_ENV of the shell do to a program. */
export function checkSettings(env: Environment): readonly Check[] {
  const checks = [checkSwitches(env), checkUrl(env['GRAPHMIND_URL']), checkHidden(env), ...unknownVariables(env)].filter(
    (check) => check !== undefined,
  )
  return checks.length > 0 ? checks : [fine(NAME, 'The GRAPHMIND_* variables of this shell get in nobody’s way.')]
}

function checkSwitches(env: Environment): Check | undefined {
  if (isOn(env['GRAPHMIND_DISABLED'])) return problem(NAME, 'GRAPHMIND_DISABLED turns programs’ debugging off.', 'unset GRAPHMIND_DISABLED')
  if (!isEnabled(undefined, env))
    return problem(NAME, 'Under NODE_ENV=production the processor and the preload do nothing.', 'export GRAPHMIND=1, or unset NODE_ENV')
  return undefined
}

function checkUrl(url: string | undefined): Check | undefined {
  if (url === undefined || url === '') return undefined
  const parsed = URL.parse(url)
  if (parsed === null || !/^(wss?|https?):$/.test(parsed.protocol))
    return problem(NAME, `GRAPHMIND_URL=${url} is no address.`, 'export GRAPHMIND_URL=ws://127.0.0.1:4747/ingest')
  return undefined
}

function checkHidden(env: Environment): Check | undefined {
  const names = activeSwitches(readHideSwitches({}, env))
  if (names.length === 0) return undefined
  return note(NAME, `Hidden before it leaves the program: ${names.join(', ')}.`, 'Unset the GRAPHMIND_HIDE_* variables to see them.')
}

function unknownVariables(env: Environment): readonly Check[] {
  return Object.keys(env)
    .filter((name) => name.startsWith('GRAPHMIND_') && !KNOWN.has(name))
    .map((name) => note(NAME, `Nothing reads ${name}.`, `Check its spelling, or unset ${name}.`))
}
