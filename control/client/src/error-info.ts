import type { ErrorInfo } from '@graphmind-ai/schema'

/** Says in the contract's shape what was thrown, whatever it was. Never throws. */
export function toErrorInfo(error: unknown): ErrorInfo {
  try {
    if (typeof error === 'object' && error !== null && 'message' in error && typeof error.message === 'string') {
      const name = 'name' in error && typeof error.name === 'string' ? error.name : 'Error'
      const stack = 'stack' in error && typeof error.stack === 'string' ? { stack: error.stack } : {}
      return { name, message: error.message, ...stack }
    }
    return { name: 'Error', message: typeof error === 'string' ? error : (JSON.stringify(error) ?? String(error)) }
  } catch {
    // A getter or toString of the thrown value throws itself.
    return { name: 'Error', message: 'The thrown value can’t be read.' }
  }
}
