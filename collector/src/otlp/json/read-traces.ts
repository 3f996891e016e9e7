import { failed, ok, type Result } from '../../problem.ts'
import type { OtlpSpan } from '../otlp-json.ts'
import { readJson } from '../read-json.ts'
import { readResource, readScope, readSpan } from '../read-span.ts'
import { type Fields, isFields, pick } from '../read-value.ts'
import type { ResourceGroup, ScopeGroup } from '../resource-group.ts'

/** The refusal of JSON that is something else. */
export const NOT_A_REQUEST = failed('shape', 'The body is JSON, but not an OTLP trace request: an object with resourceSpans is expected.')
/** The refusal of a request whose spans can not be found. */
export const NOT_A_LIST = failed(
  'shape',
  'resourceSpans is not a list. Send an OTLP trace request, in which it holds a group for each resource.',
)

/** Reads an OTLP trace request in JSON, in any of its spellings. */
export function readJsonTraces(bytes: Uint8Array): Result<readonly ResourceGroup<OtlpSpan>[]> {
  const groups = resourceGroupsOf(bytes)
  return groups.ok ? ok(groups.value.map(resourceGroup)) : groups
}

/** The `resourceSpans` of a request, in any spelling. */
function resourceGroupsOf(bytes: Uint8Array): Result<readonly Fields[]> {
  const json = readJson(new TextDecoder().decode(bytes))
  if (!json.ok) return json
  if (!isFields(json.value)) return NOT_A_REQUEST
  const groups = pick(json.value, 'resourceSpans', 'resource_spans') ?? json.value['batches']
  if (groups === undefined || groups === null) return ok([])
  if (!Array.isArray(groups)) return NOT_A_LIST
  return ok((groups as readonly unknown[]).filter(isFields))
}

function resourceGroup(group: Fields): ResourceGroup<OtlpSpan> {
  return {
    resource: readResource(group['resource'], pick(group, 'schemaUrl', 'schema_url')),
    scopes: scopeGroupsOf(group).map(scopeGroup),
  }
}

/** The `scopeSpans` of a resource's group, in any spelling. */
function scopeGroupsOf(group: Fields): readonly Fields[] {
  const lists = [pick(group, 'scopeSpans', 'scope_spans'), pick(group, 'instrumentationLibrarySpans', 'instrumentation_library_spans')]
  return lists.flatMap((list) => (Array.isArray(list) ? (list as readonly unknown[]) : [])).filter(isFields)
}

function scopeGroup(group: Fields): ScopeGroup<OtlpSpan> {
  const scope = group['scope'] ?? pick(group, 'instrumentationLibrary', 'instrumentation_library')
  const list = group['spans']
  return {
    scope: readScope(scope, pick(group, 'schemaUrl', 'schema_url')),
    items: Array.isArray(list) ? (list as readonly unknown[]).map(readSpan) : [],
  }
}
