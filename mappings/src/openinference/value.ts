import { textOf } from '../read/attribute.ts'
import { asContent } from '../read/content.ts'
import type { Attributes } from '../span-view.ts'

/** `input.value`, decoded unless its mime type says that it is plain text. */
export const inputValue = (attributes: Attributes): unknown => sideOf(attributes, 'input')

/** `output.value`, decoded unless its mime type says that it is plain text. */
export const outputValue = (attributes: Attributes): unknown => sideOf(attributes, 'output')

function sideOf(attributes: Attributes, side: 'input' | 'output'): unknown {
  const key = `${side}.value`
  return attributes[`${side}.mime_type`] === 'text/plain' ? textOf(attributes, key) : asContent(attributes[key])
}
