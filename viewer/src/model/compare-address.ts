/** What the address of two compared runs says. */
export interface CompareAddress {
  readonly left: string
  readonly right: string
  /** Only what is not the same in both. */
  readonly onlyDifferences: boolean
  /** Both runs on one time scale, or each as wide as the other. */
  readonly scale: 'one' | 'each'
  /** The pair that is looked at: the row's instances, of which either may be missing. */
  readonly pair: { readonly left: string | undefined; readonly right: string | undefined } | undefined
}

/** Reads an address; undefined when it is not one of compared runs. */
export function readCompareAddress(path: string, query: string): CompareAddress | undefined {
  const [, left, right] = /^\/compare\/([^/]+)\/([^/]+)\/?$/.exec(path) ?? []
  const ids = [left, right].map((id) => decoded(id ?? ''))
  if (ids[0] === undefined || ids[1] === undefined || ids[0] === '' || ids[1] === '') return undefined
  const search = new URLSearchParams(query)
  const pair = { left: search.get('left') ?? undefined, right: search.get('right') ?? undefined }
  return {
    left: ids[0],
    right: ids[1],
    onlyDifferences: search.get('only') === '1',
    scale: search.get('scale') === 'each' ? 'each' : 'one',
    pair: pair.left === undefined && pair.right === undefined ? undefined : pair,
  }
}

/** The address of two runs side by side; what is left out is as at first. */
export function compareAddress({
  left,
  right,
  onlyDifferences = false,
  scale = 'one',
  pair,
}: Pick<CompareAddress, 'left' | 'right'> & Partial<CompareAddress>): string {
  const search = new URLSearchParams()
  if (onlyDifferences) search.set('only', '1')
  if (scale === 'each') search.set('scale', scale)
  if (pair?.left !== undefined) search.set('left', pair.left)
  if (pair?.right !== undefined) search.set('right', pair.right)
  const query = search.toString()
  return `/compare/${encodeURIComponent(left)}/${encodeURIComponent(right)}${query === '' ? '' : `?${query}`}`
}

/** The same with the sides changed. */
export function swapped(address: CompareAddress): CompareAddress {
  const { left, right, pair } = address
  return { ...address, left: right, right: left, pair: pair === undefined ? undefined : { left: pair.right, right: pair.left } }
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part)
  } catch {
    // A half escape is no id.
    return undefined
  }
}
