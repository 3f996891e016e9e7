import { vi } from 'vitest'

/** The library's own second is too short on a machine that is busy with other things; a test that waits in vain still fails before its end. */
const WAIT_MS = 30_000

const { waitFor, waitUntil } = vi
vi.waitFor = (callback, options = WAIT_MS) => waitFor(callback, options)
vi.waitUntil = (callback, options = WAIT_MS) => waitUntil(callback, options)
