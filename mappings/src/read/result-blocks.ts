import { isRecord } from './is-record.ts'
import { parseJsonText } from './json-text.ts'
import { shorten } from './shorten.ts'

/** A tool's result out of content blocks (`[{json}]`, `[{text}]`, `[{type: 'text', text}]`): one block stands for its value. */
export function resultOfBlocks(value: unknown): unknown {
  if (!Array.isArray(value) || value.length === 0) return value
  const values = value.map(blockValue)
  return shorten(values.length === 1 ? values[0] : values)
}

function blockValue(block: unknown): unknown {
  if (!isRecord(block)) return block
  if (block['json'] !== undefined) return block['json']
  return typeof block['text'] === 'string' ? parseJsonText(block['text']) : block
}
