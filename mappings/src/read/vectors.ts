import type { AttributeValue } from '../span-view.ts'
import { definedOrAbsent } from './defined.ts'

/** What is kept of embedding vectors: how many and how long. */
export interface VectorsNote {
  readonly vectors?: number
  readonly dimensions?: number
}

/** Reads one vector or a list of them, each a list of numbers or its JSON text, without decoding the numbers. */
export function vectorsOf(value: AttributeValue | undefined): VectorsNote | undefined {
  const one = dimensionsOf(value)
  if (one !== undefined) return { vectors: 1, dimensions: one }
  if (!Array.isArray(value)) return undefined
  const first: AttributeValue | undefined = value[0]
  return definedOrAbsent({ vectors: value.length, dimensions: dimensionsOf(first) })
}

function dimensionsOf(value: AttributeValue | undefined): number | undefined {
  if (typeof value === 'string') return /^\s*\[\s*-?[\d.]/.test(value) ? value.split(',').length : undefined
  return Array.isArray(value) && typeof value[0] === 'number' ? value.length : undefined
}
