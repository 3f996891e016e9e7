/** Deterministic random numbers: the same seed always gives the same load. */
export function rng(seed) {
  let s = seed >>> 0
  const next = () => {
    s = (s + 0x6d2b79f5) >>> 0
    let t = s
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
  return {
    next,
    int: (lo, hi) => lo + Math.floor(next() * (hi - lo + 1)),
    pick: (a) => a[Math.floor(next() * a.length)],
    hex: (bytes) => {
      let out = ''
      for (let i = 0; i < bytes; i++)
        out += Math.floor(next() * 256)
          .toString(16)
          .padStart(2, '0')
      return /^0+$/.test(out) ? '1'.padStart(bytes * 2, '0') : out
    },
  }
}

const WORDS = (
  'the agent searched three sources and compared prices before answering; next it will read the invoice, ' +
  'check totals against the ledger, ask for a missing receipt, summarise open questions, and propose a plan ' +
  'with owners dates risks and costs in euros while keeping the reply short plain and correct for the reader'
).split(' ')

export function text(r, chars) {
  let out = ''
  while (out.length < chars) out += (out ? ' ' : '') + WORDS[Math.floor(r.next() * WORDS.length)]
  return out.slice(0, chars)
}
