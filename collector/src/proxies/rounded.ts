/** Milliseconds as they are recorded, to a hundredth. */
export function rounded(ms: number): number {
  return Math.round(ms * 100) / 100
}
