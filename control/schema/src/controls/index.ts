import { breakpointClear } from './breakpoint-clear.ts'
import { breakpointSet } from './breakpoint-set.ts'
import { execResume } from './exec-resume.ts'
import { helloAck } from './hello-ack.ts'
import { modeSet } from './mode-set.ts'

/** Everything a debugger may ask of an app. One file each; a new control is one line here. */
export const CONTROLS = [helloAck, execResume, breakpointSet, breakpointClear, modeSet] as const
