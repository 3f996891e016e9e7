import { hash } from 'node:crypto'
import { toErrorInfo } from '../error-info.ts'
import { saysFailed } from '../gate/smart.ts'
import { fingerprint } from './fingerprint.ts'

/** How a call ended. */
export type CallEnd = { readonly output: unknown } | { readonly error: unknown }

const MAX_MESSAGE_CHARS = 512
const NO_KEYS: ReadonlySet<string> = new Set()
let unreadable = 0

/** A text that two ends share when they are alike: the same result, or an error of the same name that says the same. */
export function readCallEnd(end: CallEnd): { readonly result: string; readonly isFailure: boolean } {
  if ('error' in end) {
    const { name, message } = toErrorInfo(end.error)
    const text = message.replace(/\s+/g, ' ').trim().slice(0, MAX_MESSAGE_CHARS)
    return { result: hash('sha256', `${name}\0${text}`, 'hex'), isFailure: true }
  }
  unreadable += 1
  return { result: fingerprint('', end.output, NO_KEYS) ?? `unreadable ${unreadable}`, isFailure: saysFailed(end.output) }
}
