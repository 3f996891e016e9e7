import * as z from 'zod/mini'

/** True when a value fits, without saying what is wrong with it. */
export type Check = (value: unknown) => boolean

/**
 * The yes or no of a schema as plain functions, made once. Zod walks its schema for every value and collects issues; where a page's
 * security policy forbids compiled code that costs ten times the check itself, and nearly every envelope is fine. A kind of schema that
 * is not known here is asked of Zod.
 */
export function compileCheck(schema: z.core.$ZodType): Check {
  const { def } = (schema as z.core.$ZodTypes)._zod
  // A refinement may ask anything, and so may a format.
  if ((def.checks?.length ?? 0) > 0 || ('format' in def && def.format !== 'safeint')) return askZod(schema)
  switch (def.type) {
    case 'unknown':
      return () => true
    case 'string':
      return (value) => typeof value === 'string'
    case 'number':
      return 'format' in def ? Number.isSafeInteger : Number.isFinite
    case 'boolean':
      return (value) => typeof value === 'boolean'
    case 'enum':
      return memberOf(new Set<unknown>(Object.values(def.entries)))
    case 'optional':
      return orAbsent(compileCheck(def.innerType))
    case 'nullable':
      return orNull(compileCheck(def.innerType))
    case 'array':
      return listOf(compileCheck(def.element))
    case 'union':
      return oneOf(def.options.map(compileCheck))
    case 'object':
      return isLoose(def.catchall) ? objectOf(def.shape) : askZod(schema)
    default:
      return askZod(schema)
  }
}

function askZod(schema: z.core.$ZodType): Check {
  return (value) => z.safeParse(schema, value).success
}

function memberOf(members: ReadonlySet<unknown>): Check {
  return (value) => members.has(value)
}

function orAbsent(check: Check): Check {
  return (value) => value === undefined || check(value)
}

function orNull(check: Check): Check {
  return (value) => value === null || check(value)
}

function listOf(check: Check): Check {
  return (value) => Array.isArray(value) && value.every(check)
}

function oneOf(checks: readonly Check[]): Check {
  return (value) => checks.some((check) => check(value))
}

function isLoose(catchall: z.core.$ZodType | undefined): boolean {
  return (catchall as z.core.$ZodTypes | undefined)?._zod.def.type === 'unknown'
}

function objectOf(shape: Readonly<Record<string, z.core.$ZodType>>): Check {
  const fields = Object.entries(shape).map(([key, schema]) => {
    const fits = compileCheck(schema)
    // Such as an unknown value: it may be undefined, but has to be there.
    return { key, fits, named: schema._zod.optin === undefined && fits(undefined) }
  })
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
    const object = value as Readonly<Record<string, unknown>>
    for (const { key, fits, named } of fields) if (!fits(object[key]) || (named && !(key in object))) return false
    return true
  }
}
