import { failed, ok, type Result } from '../../problem.ts'
import type { OtlpResource, OtlpScope, OtlpSpan } from '../otlp-json.ts'
import type { ResourceGroup, ScopeGroup } from '../resource-group.ts'
import { BrokenBytes, Cursor } from './cursor.ts'
import { AttributeList } from './read-attributes.ts'
import { count, readSpan } from './read-span.ts'

/** Reads an OTLP trace request in protobuf, straight into the form we keep. Nothing is rounded; unknown fields are passed over. */
export function readTraces(bytes: Uint8Array): Result<readonly ResourceGroup[]> {
  const cursor = new Cursor(bytes)
  const groups: ResourceGroup[] = []
  try {
    while (cursor.hasMore) {
      const tag = cursor.tag()
      if (tag === 0x0a) groups.push(readResourceGroup(cursor))
      else cursor.skip(tag)
    }
    return ok(groups)
  } catch (error) {
    if (!(error instanceof BrokenBytes)) throw error
    return failed(
      'protobuf',
      'The body is not a readable OTLP trace request in protobuf. Check the content type and that the body is whole.',
    )
  }
}

function readResourceGroup(cursor: Cursor): ResourceGroup {
  const outer = cursor.enter()
  const resource = new PartReader()
  let schemaUrl = ''
  const scopes: ScopeGroup[] = []
  const oldScopes: ScopeGroup[] = []
  while (cursor.hasMore) {
    const tag = cursor.tag()
    if (tag === 0x0a) resource.readResource(cursor)
    else if (tag === 0x12) scopes.push(readScopeGroup(cursor))
    else if (tag === 0x1a) schemaUrl = cursor.text()
    // Field 1000, instrumentation_library_spans: what scope_spans were before OTLP 0.15.
    else if (tag === 0x1f42) oldScopes.push(readScopeGroup(cursor))
    else cursor.skip(tag)
  }
  cursor.leave(outer)
  return { resource: resource.resource(schemaUrl), scopes: [...scopes, ...oldScopes] }
}

function readScopeGroup(cursor: Cursor): ScopeGroup {
  const outer = cursor.enter()
  const scope = new PartReader()
  let schemaUrl = ''
  const spans: Result<OtlpSpan>[] = []
  while (cursor.hasMore) {
    const tag = cursor.tag()
    if (tag === 0x0a) scope.readScope(cursor)
    else if (tag === 0x12) spans.push(readOneSpan(cursor))
    else if (tag === 0x1a) schemaUrl = cursor.text()
    else cursor.skip(tag)
  }
  cursor.leave(outer)
  return { scope: scope.scope(schemaUrl), spans }
}

function readOneSpan(cursor: Cursor): Result<OtlpSpan> {
  const outer = cursor.enter()
  const { end } = cursor
  const span = readSpan(cursor)
  // A broken span may have been left in one of its own messages.
  cursor.leave(outer, end)
  return span
}

/** A resource or a scope; it may come in parts, which belong together. */
export class PartReader {
  readonly #attributes = new AttributeList()
  #name = ''
  #version = ''
  #dropped = 0

  readResource(cursor: Cursor): void {
    const outer = cursor.enter()
    while (cursor.hasMore) {
      const tag = cursor.tag()
      if (tag === 0x0a) this.#attributes.read(cursor)
      else if (tag === 0x10) this.#dropped = cursor.uint32()
      else cursor.skip(tag)
    }
    cursor.leave(outer)
  }

  readScope(cursor: Cursor): void {
    const outer = cursor.enter()
    while (cursor.hasMore) {
      const tag = cursor.tag()
      if (tag === 0x0a) this.#name = cursor.text()
      else if (tag === 0x12) this.#version = cursor.text()
      else if (tag === 0x1a) this.#attributes.read(cursor)
      else if (tag === 0x20) this.#dropped = cursor.uint32()
      else cursor.skip(tag)
    }
    cursor.leave(outer)
  }

  resource(schemaUrl: string): OtlpResource {
    return {
      attributes: this.#attributes.kept,
      ...count('droppedAttributesCount', this.#dropped, this.#attributes.dropped),
      ...(schemaUrl === '' ? undefined : { schemaUrl }),
    }
  }

  scope(schemaUrl: string): OtlpScope {
    const { kept, dropped } = this.#attributes
    return {
      name: this.#name,
      ...(this.#version === '' ? undefined : { version: this.#version }),
      ...(kept.length === 0 ? undefined : { attributes: kept }),
      ...count('droppedAttributesCount', this.#dropped, dropped),
      ...(schemaUrl === '' ? undefined : { schemaUrl }),
    }
  }
}
