import type { Attributes, AttributeValue } from '../span-view.ts'
import { parseJsonText } from './json-text.ts'
import { shorten } from './shorten.ts'

/** An attribute as content: JSON text is decoded, bytes become their size. Undefined for an empty value. */
export function asContent(value: AttributeValue | undefined): unknown {
  if (value === undefined || value === null) return undefined
  return shorten(typeof value === 'string' ? parseJsonText(value) : value)
}

/** The first of these attributes that has a value, as content. */
export function contentOf(attributes: Attributes, ...keys: string[]): unknown {
  for (const key of keys) {
    const content = asContent(attributes[key])
    if (content !== undefined) return content
  }
  return undefined
}

/** Like {@link contentOf} for lists: a list whose items may be JSON text each, or one JSON text of the whole list. */
export function contentListOf(attributes: Attributes, ...keys: string[]): readonly unknown[] | undefined {
  for (const key of keys) {
    const value = attributes[key]
    const list = Array.isArray(value) ? value.map((item: AttributeValue) => asContent(item)) : asContent(value)
    if (Array.isArray(list)) return list
  }
  return undefined
}
