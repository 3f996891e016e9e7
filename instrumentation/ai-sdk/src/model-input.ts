import type { Validate } from '@graphmind-ai/client'
import { isRecord } from './wrap-tools.ts'

/** Options of a model call that a person may change; everything else (signals, headers, schemas) stays the caller's. */
const EDITABLE = [
  'prompt',
  'temperature',
  'maxOutputTokens',
  'topP',
  'topK',
  'presencePenalty',
  'frequencyPenalty',
  'stopSequences',
  'seed',
] as const
const ROLES: readonly unknown[] = ['system', 'user', 'assistant', 'tool']

type Options = Readonly<Record<string, unknown>>

/** The part of a call's options that is shown for editing. */
export function editablePart(options: Options): Options {
  return Object.fromEntries(EDITABLE.flatMap((key) => (options[key] === undefined ? [] : [[key, options[key]]])))
}

/** The options with what a person wrote in place of the editable part. */
export function withEdit(options: Options, edited: unknown): Options {
  const changes = isRecord(edited) ? edited : {}
  const kept = Object.entries(options).filter(([key]) => !EDITABLE.some((editable) => editable === key))
  return { ...Object.fromEntries(kept), ...editablePart(changes) }
}

/** Refuses what no model could take: the prompt must be a list of messages, the parameters numbers. */
export const checkModelInput: Validate = (input) => {
  if (!isRecord(input)) return { ok: false, message: 'A model call’s input is an object with a prompt.' }
  const { prompt, stopSequences, ...parameters } = input
  if (!Array.isArray(prompt) || !prompt.every(isMessage)) {
    return { ok: false, message: 'The prompt must be a list of messages, each with a role (system, user, assistant, tool) and a content.' }
  }
  if (stopSequences !== undefined && !(Array.isArray(stopSequences) && stopSequences.every((one) => typeof one === 'string'))) {
    return { ok: false, message: 'stopSequences must be a list of texts.' }
  }
  const wrong = EDITABLE.find((key) => key in parameters && typeof parameters[key] !== 'number')
  return wrong === undefined ? { ok: true, value: input } : { ok: false, message: `${wrong} must be a number.` }
}

function isMessage(value: unknown): boolean {
  return isRecord(value) && ROLES.includes(value['role']) && 'content' in value
}
