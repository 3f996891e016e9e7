import { constants } from 'node:os'

/** How a process ended. */
export type Exit =
  | { readonly kind: 'code'; readonly code: number }
  | { readonly kind: 'signal'; readonly signal: NodeJS.Signals }
  | { readonly kind: 'not-started'; readonly reason: string }

const NOT_FOUND = 127
const SIGNAL_BASE = 128

// What Windows reports for a crash instead of a signal.
const NT_STATUS: { readonly [code: number]: string } = {
  3221225477: 'STATUS_ACCESS_VIOLATION',
  3221225501: 'STATUS_ILLEGAL_INSTRUCTION',
  3221225620: 'STATUS_INTEGER_DIVIDE_BY_ZERO',
  3221225725: 'STATUS_STACK_OVERFLOW',
  3221225781: 'STATUS_DLL_NOT_FOUND',
  3221225786: 'STATUS_CONTROL_C_EXIT',
  3221226505: 'STATUS_STACK_BUFFER_OVERRUN',
}

/** The exit code for whoever started the proxy: the server's own, 128 + the signal's number as shells say it, 127 when it never ran. */
export function exitCodeOf(exit: Exit): number {
  switch (exit.kind) {
    case 'code':
      return exit.code
    case 'signal':
      return SIGNAL_BASE + constants.signals[exit.signal]
    case 'not-started':
      return NOT_FOUND
  }
}

/** The end in words that continue “The server …”. */
export function describeExit(exit: Exit): string {
  switch (exit.kind) {
    case 'code': {
      const name = NT_STATUS[exit.code]
      return `exited with code ${exit.code}${name === undefined ? '' : ` (${name})`}`
    }
    case 'signal':
      return `was ended by ${exit.signal}`
    case 'not-started':
      return `could not be started: ${exit.reason}`
  }
}
