import { vi } from 'vitest'

/** What is drawn of a long list depends on its size, and nothing has one in a test. Undone by `vi.restoreAllMocks()`. */
export function giveSize(): void {
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(600)
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(1400)
}
