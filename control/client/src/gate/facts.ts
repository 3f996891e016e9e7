import type { NodeKind } from '@graphmind-ai/schema'
import type { ConditionFacts } from '@graphmind-ai/schema/conditions'
import { toErrorInfo } from '../error-info.ts'
import type { HideSwitches } from '../switches.ts'
import type { GateNode, GateOptions } from './gate.ts'

/** Whether a node's input or output is hidden from whoever debugs. */
export function hiddenFor(hide: HideSwitches, kind: NodeKind): { readonly input: boolean; readonly output: boolean } {
  const isTool = kind === 'tool'
  return { input: hide.hideInputs || (hide.hideToolArgs && isTool), output: hide.hideOutputs || (hide.hideToolResults && isTool) }
}

/** What conditions see of a call. A hidden value is absent: asking about it bit by bit would give it away. */
export function factsOf(node: GateNode, options: GateOptions, hide: HideSwitches): ConditionFacts & { readonly kind: NodeKind } {
  const { kind, name } = node
  const { input, output, usage, error, durationMs } = options
  const hidden = hiddenFor(hide, kind)
  return {
    name,
    kind,
    ...(input === undefined || hidden.input ? {} : { input }),
    ...(output === undefined || hidden.output ? {} : { output }),
    ...(usage === undefined ? {} : { usage }),
    ...(error === undefined ? {} : { error: toErrorInfo(error) }),
    ...(durationMs === undefined ? {} : { duration: durationMs }),
  }
}
