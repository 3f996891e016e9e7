import type { Attributes } from '../span-view.ts'
import { keysOf } from './attribute.ts'
import { asContent } from './content.ts'

/** Longer paths are not nested: no vocabulary has them, and each segment costs stack. */
const MAX_SEGMENTS = 24

interface Branch {
  value?: unknown
  readonly children: Map<string, Branch>
}

/**
 * Rebuilds what was flattened into keys like `llm.input_messages.0.message.role`: numbers become lists in their order (holes close),
 * other segments become fields. Keys come in any order. Undefined when no key starts with the prefix.
 */
function unflatten(attributes: Attributes, prefix: string): unknown {
  const root: Branch = { children: new Map() }
  for (const key of keysOf(attributes)) {
    if (!key.startsWith(prefix)) continue
    const value = attributes[key]
    const path = key.slice(prefix.length).split('.')
    if (value === undefined || value === null || path.length > MAX_SEGMENTS) continue
    const leaf = path.reduce(childOf, root)
    leaf.value = typeof value === 'string' ? value.toWellFormed() : asContent(value)
  }
  return root.children.size === 0 ? undefined : valueOfBranch(root)
}

/** The list that was flattened under a prefix whose keys go on with an index; undefined when there is none. */
export function unflattenList(attributes: Attributes, prefix: string): readonly unknown[] | undefined {
  const value = unflatten(attributes, prefix)
  return Array.isArray(value) ? value : undefined
}

function childOf(branch: Branch, segment: string): Branch {
  const known = branch.children.get(segment)
  if (known !== undefined) return known
  const made: Branch = { children: new Map() }
  branch.children.set(segment, made)
  return made
}

function valueOfBranch(branch: Branch): unknown {
  if (branch.children.size === 0) return branch.value
  const entries = [...branch.children].map(([segment, child]) => [segment, valueOfBranch(child)] as const)
  if (!entries.every(([segment]) => /^\d{1,9}$/.test(segment))) return Object.fromEntries(entries)
  return entries.sort(([a], [b]) => Number(a) - Number(b)).map(([, value]) => value)
}
