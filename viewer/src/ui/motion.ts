/** Whether nothing should move: the system or the reader's settings ask for it. */
export function isMotionReduced(): boolean {
  return document.documentElement.dataset['motion'] === 'reduced' || window.matchMedia('(prefers-reduced-motion: reduce)').matches
}
