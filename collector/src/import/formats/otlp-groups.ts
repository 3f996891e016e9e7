import { scopeIn } from '../../otlp/json/read-groups.ts'
import type { SignalNames } from '../../otlp/json/signal-names.ts'
import type { OtlpResource, OtlpScope } from '../../otlp/otlp-json.ts'
import { readResource, readScope } from '../../otlp/read-span.ts'
import { type Fields, pick } from '../../otlp/read-value.ts'
import type { Frame, Leaf } from '../leaf.ts'

export interface GroupParts {
  readonly resource: OtlpResource
  readonly scope: OtlpScope
}

/** The groups that OTLP/JSON puts spans and log records into, read while they are still open. */
export class OtlpGroups {
  readonly #items: ReadonlySet<string | undefined>
  readonly #scopeGroups: ReadonlySet<string | undefined>
  readonly #resources = new WeakMap<Frame, OtlpResource>()
  readonly #scopes = new WeakMap<Frame, OtlpScope>()

  constructor(names: SignalNames) {
    this.#items = new Set(names.items)
    this.#scopeGroups = new Set(names.scopeGroups.flat())
  }

  /** Whether it stands where an item of this signal stands. */
  holds({ name, parent }: Leaf): boolean {
    return this.#items.has(name) && parent !== undefined && (this.#scopeGroups.has(parent.name) || scopeOf(parent) !== undefined)
  }

  /** The group that has to end first, as `TraceFormat.waitsFor` says. */
  waitsFor(leaf: Leaf, patient: boolean): Frame | undefined {
    const { scope, resource } = this.#around(leaf)
    if (scope !== undefined && !scope.closed && (patient || scopeOf(scope) === undefined)) return scope
    return resource !== undefined && !resource.closed && (patient || resource.fields['resource'] === undefined) ? resource : undefined
  }

  /** The same objects for all items of a group, which is what their readers cache by. */
  partsOf(fields: Fields, leaf: Leaf): GroupParts {
    const groups = this.#around(leaf)
    const own = { resource: fields['resource'], scope: fields['scope'] }
    return {
      resource: remembered(this.#resources, own.resource === undefined ? groups.resource : undefined, (group) =>
        readResource(own.resource ?? group?.fields['resource'], schemaUrlOf(group)),
      ),
      scope: remembered(this.#scopes, own.scope === undefined ? groups.scope : undefined, (group) =>
        readScope(own.scope ?? (group === undefined ? undefined : scopeOf(group)), schemaUrlOf(group)),
      ),
    }
  }

  #around({ name, parent }: Leaf): { readonly scope: Frame | undefined; readonly resource: Frame | undefined } {
    const scope = this.#items.has(name) ? parent : undefined
    return { scope, resource: this.#scopeGroups.has(scope?.name) ? scope?.parent : undefined }
  }
}

function scopeOf(group: Frame): unknown {
  return scopeIn(group.fields)
}

function schemaUrlOf(group: Frame | undefined): unknown {
  return group === undefined ? undefined : pick(group.fields, 'schemaUrl', 'schema_url')
}

function remembered<Value>(known: WeakMap<Frame, Value>, group: Frame | undefined, read: (group: Frame | undefined) => Value): Value {
  const found = group === undefined ? undefined : known.get(group)
  if (found !== undefined) return found
  const value = read(group)
  if (group !== undefined) known.set(group, value)
  return value
}
