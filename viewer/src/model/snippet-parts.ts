/** A text with the places of what was found in it: UTF-16 offsets, the end not included. */
interface Found {
  readonly text: string
  readonly ranges: readonly (readonly [start: number, end: number])[]
}

export interface SnippetPart {
  readonly start: number
  readonly text: string
  readonly found: boolean
}

/** The text cut at what was found; places that overlap or lie outside are taken as far as they go. */
export function snippetParts({ text, ranges }: Found): readonly SnippetPart[] {
  const parts: SnippetPart[] = []
  let at = 0
  const add = (end: number, found: boolean) => {
    if (end > at) parts.push({ start: at, text: text.slice(at, end), found })
    at = Math.max(at, end)
  }
  for (const [start, end] of ranges.toSorted((one, other) => one[0] - other[0])) {
    add(Math.min(start, text.length), false)
    add(Math.min(end, text.length), true)
  }
  add(text.length, false)
  return parts
}
