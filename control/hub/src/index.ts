export type { DebugState } from './breakpoints/debug-state.ts'
export { type Connection, createHub, type Hub, type HubOptions } from './hub.ts'
export { DEFAULT_LIMITS, type HubLimits } from './limits.ts'
export type { ResumeAnswer, ResumeRequest } from './pauses/desk.ts'
export type {
  Bus,
  ChannelEvent,
  HistoryPage,
  HistoryWish,
  Payloads,
  Peer,
  RunStore,
  SessionListener,
  StoredEvent,
  StoredSheet,
} from './ports.ts'
export type { HubProblem } from './problems.ts'
export { allows, type Caller, CONTROL_LEVELS, type ControlLevel } from './rights.ts'
export { withoutPayloads } from './viewers/without-payloads.ts'
