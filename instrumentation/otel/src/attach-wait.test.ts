import { expect, it } from 'vitest'
import { attachWaitMs } from './attach-wait.ts'

it.each([
  [undefined, 300],
  ['', 300],
  ['soon', 300],
  ['-1', 300],
  ['0', 0],
  ['5000', 5000],
  ['60000', 60_000],
  ['60001', 60_000],
])('waits for the debugger as GRAPHMIND_WAIT_FOR_ATTACH_MS=%s says: %i ms', (text, ms) => {
  expect(attachWaitMs({ GRAPHMIND_WAIT_FOR_ATTACH_MS: text }, 300)).toBe(ms)
})
