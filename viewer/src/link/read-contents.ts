import { NODE_KINDS } from '@graphmind-ai/schema'
import type { ComparedContents } from '../model/comparisons.ts'
import { asList, asObject, asText, oneOf } from './guards.ts'

/** Reads what went through one call from the answer of `GET /api/runs/:runId/instances/:instanceId`; undefined when it is none. */
export function readContents(value: unknown): ComparedContents | undefined {
  const answer = asObject(value)
  const instance = asObject(answer?.['instance'])
  if (answer === undefined || instance === undefined) return undefined
  const errors = (asList(instance['errors']) ?? []).flatMap((item) => {
    const error = asObject(item)
    return error === undefined ? [] : [{ name: asText(error['name']) ?? 'Error', message: asText(error['message']) ?? '' }]
  })
  return { kind: oneOf(NODE_KINDS, instance['kind']) ?? 'custom', input: answer['input'], output: answer['output'], errors }
}
