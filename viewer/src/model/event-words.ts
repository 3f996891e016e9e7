import type { Envelope } from '@graphmind-ai/schema'
import { breakpointWords } from './breakpoints.ts'
import { duration } from './format.ts'
import { isObject, textOf } from './values.ts'

/** One event as a person would tell it. Payloads are read loosely: an event of a newer version is told by its type. */
export function eventWords({ type, payload }: Envelope): string {
  const fields = isObject(payload) ? payload : {}
  switch (type) {
    case 'node.started':
      return 'Started'
    case 'node.token':
      return 'Streamed a piece of its output'
    case 'node.finished': {
      const ms = fields['durationMs']
      const status = textOf(fields['status']) ?? 'ok'
      return `Finished: ${status}${typeof ms === 'number' ? ` after ${duration(ms)}` : ''}${fields['injected'] === true ? ', with an injected output' : ''}`
    }
    case 'node.error': {
      const error = isObject(fields['error']) ? fields['error'] : {}
      return `Failed: ${textOf(error['name']) ?? 'Error'}: ${textOf(error['message']) ?? ''}`
    }
    case 'exec.paused': {
      const matcher = isObject(fields['matcher']) ? ` by “${breakpointWords(fields['matcher'])}”` : ''
      return `Held ${pointWords(fields['point'])}${matcher}`
    }
    case 'exec.resumed':
      return resumedWords(fields)
    case 'exec.refused':
      return `Refused: ${textOf(fields['message']) ?? textOf(fields['code']) ?? 'no reason given'}`
    case 'breakpoint.hit':
      return fields['logged'] === undefined ? 'Breakpoint hit' : 'Log point reached'
    case 'run.started':
      return 'The run began'
    case 'run.finished':
      return 'The run ended'
    case 'graph.hint':
      return 'The agent announced its nodes'
    case 'hello':
      return 'The agent’s control link came up'
    default:
      return type
  }
}

function pointWords(point: unknown): string {
  return point === 'error' ? 'on its error' : `${textOf(point) ?? 'before'} the call`
}

function resumedWords(fields: Readonly<Record<string, unknown>>): string {
  const held = typeof fields['heldMs'] === 'number' ? ` after ${duration(fields['heldMs'])}` : ''
  switch (fields['cause']) {
    case 'link-lost':
      return `Let go by itself: link lost${held}`
    case 'timeout':
      return `Let go by itself: timed out${held}`
    case 'disposed':
      return `Let go by itself: GraphMind was shut down in the agent${held}`
  }
  const who = textOf(fields['operator']) ?? textOf(fields['principal'])
  const what = isObject(fields['edited']) ? 'with an edited input' : isObject(fields['injected']) ? 'with an injected value' : ''
  return ['Let go:', textOf(fields['action']) ?? 'continue', what, who === undefined ? '' : `by ${who}`].filter(Boolean).join(' ') + held
}
