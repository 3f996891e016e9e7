import { failed, ok, type Result } from '../../problem.ts'
import type { OtlpResource, OtlpScope } from '../otlp-json.ts'
import type { ResourceGroup, ScopeGroup } from '../resource-group.ts'
import { Cursor } from './cursor.ts'
import { AttributeList } from './read-attributes.ts'
import { count } from './read-span.ts'
import { unlessBroken } from './unless-broken.ts'

type ReadItem<Item> = (cursor: Cursor) => Result<Item>

/** Reads an OTLP request of spans or log records: both are lists in scopes in resources, under the same field numbers. Unknown fields are passed over. */
export function readGroups<Item>(
  bytes: Uint8Array,
  signal: 'trace' | 'logs',
  readItem: ReadItem<Item>,
): Result<readonly ResourceGroup<Item>[]> {
  const read = (cursor: Cursor): Result<readonly ResourceGroup<Item>[]> => {
    const groups: ResourceGroup<Item>[] = []
    while (cursor.hasMore) {
      const tag = cursor.tag()
      if (tag === 0x0a) groups.push(readResourceGroup(cursor, readItem))
      else cursor.skip(tag)
    }
    return ok(groups)
  }
  return unlessBroken(read, new Cursor(bytes), notReadable(signal))
}

/** The refusal of a request of which not even the frame can be read. */
export function notReadable(signal: 'trace' | 'logs' | 'metrics') {
  return failed(
    'protobuf',
    `The body is not a readable OTLP ${signal} request in protobuf. Check the content type and that the body is whole.`,
  )
}

function readResourceGroup<Item>(cursor: Cursor, readItem: ReadItem<Item>): ResourceGroup<Item> {
  const outer = cursor.enter()
  const resource = new PartReader()
  let schemaUrl = ''
  const scopes: ScopeGroup<Item>[] = []
  const oldScopes: ScopeGroup<Item>[] = []
  while (cursor.hasMore) {
    const tag = cursor.tag()
    if (tag === 0x0a) resource.readResource(cursor)
    else if (tag === 0x12) scopes.push(readScopeGroup(cursor, readItem))
    else if (tag === 0x1a) schemaUrl = cursor.text()
    // Field 1000, instrumentation_library_spans or _logs: what scopes were before OTLP 0.15.
    else if (tag === 0x1f42) oldScopes.push(readScopeGroup(cursor, readItem))
    else cursor.skip(tag)
  }
  cursor.leave(outer)
  return { resource: resource.resource(schemaUrl), scopes: [...scopes, ...oldScopes] }
}

function readScopeGroup<Item>(cursor: Cursor, readItem: ReadItem<Item>): ScopeGroup<Item> {
  const outer = cursor.enter()
  const scope = new PartReader()
  let schemaUrl = ''
  const items: Result<Item>[] = []
  while (cursor.hasMore) {
    const tag = cursor.tag()
    if (tag === 0x0a) scope.readScope(cursor)
    else if (tag === 0x12) items.push(readOne(cursor, readItem))
    else if (tag === 0x1a) schemaUrl = cursor.text()
    else cursor.skip(tag)
  }
  cursor.leave(outer)
  return { scope: scope.scope(schemaUrl), items }
}

function readOne<Item>(cursor: Cursor, readItem: ReadItem<Item>): Result<Item> {
  const outer = cursor.enter()
  const { end } = cursor
  const item = readItem(cursor)
  // A broken one may have been left in one of its own messages.
  cursor.leave(outer, end)
  return item
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
