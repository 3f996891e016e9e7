import type { Reading } from './json-rpc.ts'
import type { Sender } from './methods.ts'

const ARROWS: { readonly [From in Sender]: string } = { client: '→', server: '←' }

/** One frame in one line, for --trace. Names and sizes only: what is inside may be private. */
export function traceLine(sender: Sender, reading: Reading, bytes: number): string {
  return `${ARROWS[sender]} ${describe(reading)} (${bytes} bytes)`
}

function describe(reading: Reading): string {
  switch (reading.kind) {
    case 'request':
      return `${reading.method} #${reading.id}`
    case 'notification':
      return reading.method
    case 'response':
      return `${reading.outcome.ok ? 'result' : 'error'} #${reading.id}`
    case 'batch':
      return `batch of ${reading.messages.length}`
    case 'noise':
      return 'a line that is no JSON'
    case 'other':
      return 'a line that is no message'
  }
}
