/** An index in the left list and the one in the right list that goes with it. */
export type IndexPair = readonly [left: number, right: number]

// The work of Myers' algorithm grows with the square of the differences: 1,000 of them are a million steps and 2 MB of trace.
const MAX_DIFFERENCES = 1_000

/**
 * Pairs of equal keys that stand in the same order in both lists: a longest common subsequence while the lists differ in at most a thousand
 * places, and else one that pairs the n-th of a key with the n-th of it. Swapping the lists swaps the pairs and changes nothing else.
 */
export function commonOrder(left: readonly string[], right: readonly string[]): readonly IndexPair[] {
  let start = 0
  while (start < left.length && start < right.length && left[start] === right[start]) start += 1
  let end = 0
  while (end < left.length - start && end < right.length - start && left.at(-1 - end) === right.at(-1 - end)) end += 1
  const between = symmetric(left.slice(start, left.length - end), right.slice(start, right.length - end))
  return [
    ...Array.from({ length: start }, (_, index): IndexPair => [index, index]),
    ...between.map(([one, other]): IndexPair => [one + start, other + start]),
    ...Array.from({ length: end }, (_, index): IndexPair => [left.length - end + index, right.length - end + index]),
  ]
}

/** Among equally long results the algorithm prefers one side, so the lists are always given to it in the same order. */
function symmetric(left: readonly string[], right: readonly string[]): readonly IndexPair[] {
  if (left.length === 0 || right.length === 0) return []
  if (!comesAfter(left, right)) return longest(left, right) ?? nthWithNth(left, right)
  const swapped = longest(right, left) ?? nthWithNth(right, left)
  return swapped.map(([one, other]): IndexPair => [other, one])
}

function comesAfter(one: readonly string[], other: readonly string[]): boolean {
  if (one.length !== other.length) return one.length > other.length
  const at = one.findIndex((key, index) => key !== other[index])
  return at >= 0 && (one[at] ?? '') > (other[at] ?? '')
}

/** Myers' greedy algorithm (1986): the furthest point on each diagonal for a growing number of differences. Undefined for too many. */
function longest(left: readonly string[], right: readonly string[]): readonly IndexPair[] | undefined {
  const most = Math.min(MAX_DIFFERENCES, left.length + right.length)
  const trace: Int32Array[] = []
  const offset = most + 1
  const furthest = new Int32Array(2 * most + 3)
  for (let differences = 0; differences <= most; differences++) {
    // Only the diagonals reached so far, and one beside them.
    trace.push(furthest.slice(offset - differences - 1, offset + differences + 2))
    for (let diagonal = -differences; diagonal <= differences; diagonal += 2) {
      const above = furthest[offset + diagonal + 1] ?? 0
      const beside = furthest[offset + diagonal - 1] ?? 0
      let x = diagonal === -differences || (diagonal !== differences && beside < above) ? above : beside + 1
      while (x < left.length && x - diagonal < right.length && left[x] === right[x - diagonal]) x += 1
      furthest[offset + diagonal] = x
      if (x >= left.length && x - diagonal >= right.length) return walkBack(trace, left.length, right.length)
    }
  }
  return undefined
}

function walkBack(trace: readonly Int32Array[], leftLength: number, rightLength: number): readonly IndexPair[] {
  const pairs: IndexPair[] = []
  let x = leftLength
  let y = rightLength
  for (let differences = trace.length - 1; differences >= 0; differences--) {
    const before = trace[differences]
    const at = (diagonal: number) => before?.[diagonal + differences + 1] ?? 0
    const diagonal = x - y
    const fromAbove = diagonal === -differences || (diagonal !== differences && at(diagonal - 1) < at(diagonal + 1))
    const previousX = differences === 0 ? 0 : at(fromAbove ? diagonal + 1 : diagonal - 1)
    const previousY = differences === 0 ? 0 : previousX - (fromAbove ? diagonal + 1 : diagonal - 1)
    while (x > previousX && y > previousY) {
      x -= 1
      y -= 1
      pairs.push([x, y])
    }
    x = previousX
    y = previousY
  }
  return pairs.reverse()
}

/** The n-th of each key with the n-th of it, as far as that keeps the order of both: a longest increasing subsequence. */
function nthWithNth(left: readonly string[], right: readonly string[]): readonly IndexPair[] {
  const places = new Map<string, number[]>()
  for (const [index, key] of right.entries()) {
    const known = places.get(key)
    if (known === undefined) places.set(key, [index])
    else known.push(index)
  }
  const used = new Map<string, number>()
  const pairs: IndexPair[] = []
  for (const [index, key] of left.entries()) {
    const nth = used.get(key) ?? 0
    used.set(key, nth + 1)
    const place = places.get(key)?.[nth]
    if (place !== undefined) pairs.push([index, place])
  }
  return increasing(pairs)
}

/** Patience sorting: `tails[n]` ends the best chain of length n + 1 so far. */
function increasing(pairs: readonly IndexPair[]): readonly IndexPair[] {
  const tails: number[] = []
  const before: (number | undefined)[] = []
  for (const [index, [, right]] of pairs.entries()) {
    let low = 0
    let high = tails.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((pairs[tails[middle] ?? 0]?.[1] ?? 0) < right) low = middle + 1
      else high = middle
    }
    before[index] = low === 0 ? undefined : tails[low - 1]
    tails[low] = index
  }
  const chain: IndexPair[] = []
  for (let at = tails.at(-1); at !== undefined; at = before[at]) {
    const pair = pairs[at]
    if (pair !== undefined) chain.push(pair)
  }
  return chain.reverse()
}
