/**
 * Whether a glob matches a name as a whole, both as lists of characters: `*` is any text, `?` any one character. Goes back only to the last
 * `*`, so the time is bounded by the product of both lengths.
 */
export function matchesGlob(glob: readonly string[], name: readonly string[]): boolean {
  let at = 0
  let inGlob = 0
  let star = -1
  let starAt = 0
  while (at < name.length) {
    if (glob[inGlob] === '*') {
      star = inGlob
      starAt = at
      inGlob += 1
    } else if (inGlob < glob.length && (glob[inGlob] === '?' || glob[inGlob] === name[at])) {
      inGlob += 1
      at += 1
    } else if (star >= 0) {
      starAt += 1
      at = starAt
      inGlob = star + 1
    } else {
      return false
    }
  }
  while (glob[inGlob] === '*') inGlob += 1
  return inGlob === glob.length
}
