import { failed, ok, type Result } from '../../problem.ts'
import { readJson } from '../read-json.ts'
import { readResource, readScope } from '../read-span.ts'
import { type Fields, isFields, pick } from '../read-value.ts'
import type { ResourceGroup, ScopeGroup } from '../resource-group.ts'
import type { SignalNames } from './signal-names.ts'

/** Reads an OTLP request of spans or log records in JSON, in any of its spellings. */
export function readJsonGroups<Item>(
  bytes: Uint8Array,
  names: SignalNames,
  readItem: (value: unknown) => Result<Item>,
): Result<readonly ResourceGroup<Item>[]> {
  const json = readJson(new TextDecoder().decode(bytes))
  if (!json.ok) return json
  if (!isFields(json.value)) return notARequest(names)
  const groups = firstOf(json.value, names.groups) ?? []
  if (!Array.isArray(groups)) return notAList(names)
  return ok(groups.filter(isFields).map((group) => resourceGroup(group, names, readItem)))
}

/** The refusal of JSON that is something else. */
export function notARequest({ signal, groups: [name] }: SignalNames) {
  return failed('shape', `The body is JSON, but not an OTLP ${signal} request: an object with ${name} is expected.`)
}

/** The refusal of a request whose groups are no list. */
export function notAList({ signal, groups: [name] }: SignalNames) {
  return failed('shape', `${name} is not a list. Send an OTLP ${signal} request, in which it holds a group for each resource.`)
}

/** The scope of a group; before OTLP 0.15 it was called a library. */
export function scopeIn(group: Fields): unknown {
  return group['scope'] ?? pick(group, 'instrumentationLibrary', 'instrumentation_library')
}

function resourceGroup<Item>(group: Fields, names: SignalNames, readItem: (value: unknown) => Result<Item>): ResourceGroup<Item> {
  const scopeGroups = names.scopeGroups.flatMap((spellings) => listIn(group, spellings)).filter(isFields)
  return {
    resource: readResource(group['resource'], pick(group, 'schemaUrl', 'schema_url')),
    scopes: scopeGroups.map(
      (scopeGroup): ScopeGroup<Item> => ({
        scope: readScope(scopeIn(scopeGroup), pick(scopeGroup, 'schemaUrl', 'schema_url')),
        items: listIn(scopeGroup, names.items).map((item) => readItem(item)),
      }),
    ),
  }
}

function listIn(fields: Fields, spellings: readonly string[]): readonly unknown[] {
  const list = firstOf(fields, spellings)
  return Array.isArray(list) ? list : []
}

/** The field under the first of these names that has one. */
function firstOf(fields: Fields, names: readonly string[]): unknown {
  for (const name of names) {
    const value = fields[name]
    if (value !== undefined && value !== null) return value
  }
  return undefined
}
