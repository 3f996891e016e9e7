import type { InstancePicture } from '@graphmind-ai/schema'
import * as z from 'zod'
import { failed, ok, type Result } from '../../../problem.ts'
import { readPicture } from '../../../store/reads/picture.ts'
import { readableRun, runLink } from '../../runs/records.ts'
import { withRecords } from '../context.ts'
import { MAX_RANGE_CHARACTERS, PREVIEW_CHARACTERS, preview, valueAt } from '../values.ts'
import { READS, type Tool } from './tool.ts'

const MAX_INSTANCES = 25
const KNOWN_NODES = 30
const FIELDS = ['input', 'output', 'error', 'stream'] as const

const input = {
  runId: z.string().describe('as list_runs gives it'),
  nodeId: z.string().optional().describe('as get_run gives it: its newest executions'),
  instanceId: z.string().optional().describe('one execution'),
  field: z.enum(FIELDS).optional().describe('with instanceId: this value itself, in place of previews'),
  path: z.string().default('').describe('with field: a JSON pointer into it, like /messages/0/content'),
  offset: z.int().min(0).default(0).describe('with field: from this character'),
  length: z.int().min(1).max(MAX_RANGE_CHARACTERS).default(MAX_RANGE_CHARACTERS).describe('with field: how many characters'),
}

export const getNode: Tool<typeof input> = {
  name: 'get_node',
  title: 'Get the executions of a node',
  description: `Executions of one node: input, output, errors with stack, timing, usage, and what a person changed. Values are previews of ${PREVIEW_CHARACTERS} characters; name instanceId and field to read one whole, by path and range.`,
  input,
  annotations: READS,
  run: ({ runId, nodeId, instanceId, field, path, offset, length }, context) =>
    withRecords(context, async (records) => {
      const run = await readableRun(records, runId)
      if (!run.ok) return run
      const picture = await readPicture(records.database, run.value)
      const all = [...picture.instances.values()]
      const chosen = choose(all, nodeId, instanceId)
      if (!chosen.ok) return chosen
      const [first] = chosen.value
      if (field !== undefined) {
        if (instanceId === undefined || first === undefined)
          return failed('field', 'field reads one value: name the execution with instanceId.')
        const value = valuesOf(first)[field]
        if (value === undefined) return failed('field', `Execution ${instanceId} has no ${field} on record.`)
        const part = valueAt(value, { path, offset, length })
        return part.ok ? ok({ runId, instanceId, field, path, offset, ...part.value, link: runLink(records.url, runId, instanceId) }) : part
      }
      const newest = chosen.value.slice(-MAX_INSTANCES)
      const omitted = chosen.value.length - newest.length
      return ok({
        runId,
        executions: newest.reverse().map((instance) => execution(instance, runLink(records.url, runId, instance.id))),
        ...(omitted > 0 ? { instancesOmitted: omitted } : {}),
      })
    }),
}

/** In the order they started. */
function choose(
  all: readonly InstancePicture[],
  nodeId: string | undefined,
  instanceId: string | undefined,
): Result<readonly InstancePicture[]> {
  if (nodeId === undefined && instanceId === undefined) return failed('node', 'Name a node with nodeId, or one execution with instanceId.')
  const found = all.filter((instance) => (instanceId === undefined ? instance.nodeId === nodeId : instance.id === instanceId))
  if (found.length > 0) return ok(found.sort((one, other) => one.startedAt - other.startedAt || one.firstSeq - other.firstSeq))
  if (instanceId !== undefined)
    return failed('no-instance', `The run has no execution ${instanceId}. get_node with nodeId lists those of a node.`)
  const known = [...new Set(all.map((instance) => instance.nodeId))].slice(0, KNOWN_NODES)
  return failed('no-node', `The run has no node ${nodeId}. ${known.length === 0 ? 'It has none at all.' : `It has: ${known.join(', ')}.`}`)
}

function valuesOf({ input, output, errors, stream }: InstancePicture) {
  return { input, output, error: errors.length === 0 ? undefined : errors, stream }
}

function execution(instance: InstancePicture, link: string) {
  const {
    id,
    nodeId,
    kind,
    name,
    status,
    startedAt,
    durationMs,
    heldMs,
    usage,
    model,
    finishReason,
    attempts,
    injected,
    edited,
    parentInstanceId,
  } = instance
  const previews = Object.fromEntries(
    Object.entries(valuesOf(instance)).flatMap(([field, value]) => {
      const shown = preview(value, `get_node with instanceId "${id}" and field "${field}" reads the rest`)
      return shown === undefined ? [] : [[field, shown]]
    }),
  )
  return {
    ...{ instanceId: id, nodeId, kind, name, status, startedAt: new Date(startedAt).toISOString(), durationMs, heldMs, parentInstanceId },
    ...{ usage, model, finishReason, attempts, injected: injected !== undefined || undefined, edited: edited !== undefined || undefined },
    ...previews,
    link,
  }
}
