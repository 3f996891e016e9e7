import { isObject, textOf } from './values.ts'

/** The part of a JSON Schema that helps to write a value. */
export interface Shape {
  /** JSON Schema’s names of types; none: any. */
  readonly types: readonly string[]
  readonly fields: ReadonlyMap<string, Shape>
  readonly required: readonly string[]
  /** It may have fields that it does not name. */
  readonly open: boolean
  readonly items: Shape | undefined
  /** The only values it may have; none: any. */
  readonly choices: readonly unknown[]
  readonly description: string | undefined
}

const ANYTHING: Shape = { types: [], fields: new Map(), required: [], open: true, items: undefined, choices: [], description: undefined }
/** Deeper than this a schema is taken as “anything”; one that holds itself has no end. */
const DEEPEST = 8

/** Reads what a schema says of a value; what it can’t read it takes as “anything goes”. */
export function readShape(schema: unknown): Shape {
  return shapeOf(schema, schema, 0)
}

function shapeOf(schema: unknown, root: unknown, depth: number): Shape {
  if (!isObject(schema) || depth > DEEPEST) return ANYTHING
  const inner = (part: unknown) => shapeOf(part, root, depth + 1)
  const reference = textOf(schema['$ref'])
  if (reference !== undefined) return inner(referred(reference, root))
  const variants = [schema['anyOf'], schema['oneOf']].find(Array.isArray)?.map(inner)
  if (variants !== undefined) return oneOf(variants, textOf(schema['description']))
  const properties = isObject(schema['properties']) ? schema['properties'] : {}
  const names = Object.keys(properties)
  const more = schema['additionalProperties']
  return {
    types: [schema['type']].flat().filter((type) => typeof type === 'string'),
    fields: new Map(names.map((name) => [name, inner(properties[name])])),
    required: Array.isArray(schema['required']) ? schema['required'].filter((name) => typeof name === 'string') : [],
    open: (names.length === 0 && more !== false) || more === true || isObject(more) || schema['patternProperties'] !== undefined,
    items: isObject(schema['items']) ? inner(schema['items']) : undefined,
    choices: 'const' in schema ? [schema['const']] : Array.isArray(schema['enum']) ? schema['enum'] : [],
    description: textOf(schema['description']),
  }
}

/** What `#/$defs/Name` stands for. */
function referred(reference: string, root: unknown): unknown {
  let found: unknown = root
  for (const step of reference.replace(/^#\/?/, '').split('/')) found = isObject(found) ? found[step] : undefined
  return found
}

/** A value of several kinds, such as “text or null”. What its objects hold is told when there is one kind of them. */
function oneOf(variants: readonly Shape[], description: string | undefined): Shape {
  const objects = variants.filter((variant) => variant.fields.size > 0)
  const [only] = objects.length === 1 ? objects : []
  const any = variants.some(({ types }) => types.length === 0)
  const choices = variants.every((variant) => variant.choices.length > 0) ? variants.flatMap((variant) => variant.choices) : []
  return {
    ...(only ?? ANYTHING),
    types: any ? [] : [...new Set(variants.flatMap(({ types }) => types))],
    items: variants.find(({ items }) => items !== undefined)?.items,
    choices,
    description: description ?? only?.description,
  }
}

/** “text”, “"fast" | "slow"”, “integer[]”. */
export function typeWords({ types, choices, items }: Shape): string {
  if (choices.length > 0) return choices.map((choice) => JSON.stringify(choice)).join(' | ')
  if (types.length === 0) return 'any'
  return types.map((type) => (type === 'array' && items !== undefined ? `${typeWords(items)}[]` : type)).join(' | ')
}

/** “city: string, days?: integer”: the fields of an object, `?` for those that may be left out; undefined when it names none. */
export function fieldsWords({ fields, required }: Shape): string | undefined {
  if (fields.size === 0) return undefined
  return [...fields].map(([name, field]) => `${name}${required.includes(name) ? '' : '?'}: ${typeWords(field)}`).join(', ')
}
