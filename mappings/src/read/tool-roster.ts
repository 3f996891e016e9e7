import type { GraphNodeHint } from '@graphmind-ai/schema'
import { isRecord } from './is-record.ts'
import { firstText } from './tool-call.ts'

/** The names of the tools in a list of definitions, each once. */
export function toolNames(definitions: readonly unknown[] | undefined): readonly string[] {
  const names = (definitions ?? []).flatMap((definition) => {
    if (typeof definition === 'string') return /^[\w.:/-]{1,128}$/.test(definition) ? definition : []
    if (!isRecord(definition)) return []
    const inner = [definition['function'], definition['toolSpec'], definition['json_schema']].find(isRecord) ?? definition
    return firstText(inner['name'], definition['name'], definition['toolName']) ?? []
  })
  return [...new Set(names)]
}

/** Tools a model may call, as nodes that are drawn before they run. Undefined for none. */
export function toolHints(names: readonly string[]): readonly GraphNodeHint[] | undefined {
  return names.length === 0 ? undefined : names.map((name) => ({ nodeId: `tool:${name}`, kind: 'tool', name }))
}
