export { breakpointId, matcherKey, reportsHits, sameBreakpoint } from './breakpoints/breakpoint-id.ts'
export { type HitCount, parseHitCount } from './breakpoints/hit-count.ts'
export { CAPABILITIES, type Capability, EXTRA_CAPABILITIES, REDACTED } from './capabilities.ts'
export { alignRuns } from './compare/align-runs.ts'
export type { ChangedField, ComparedInstance, ComparedVerdict, Delta, Measures, RunComparison, RunTotals } from './compare/comparison.ts'
export { CONTROLS } from './controls/index.ts'
export {
  type ControlEnvelope,
  type ControlType,
  createEnvelope,
  type Envelope,
  type EnvelopeOf,
  type EventEnvelope,
  type EventType,
  type KnownEnvelope,
  type MessageType,
  type PayloadOf,
  unknownFieldsOf,
} from './envelope.ts'
export { EVENTS } from './events/index.ts'
export type { FoldChange } from './fold/change.ts'
export { emptyRun, foldEnvelope } from './fold/fold.ts'
export type { GapPicture, InstancePicture, InstanceStatus, LoopEvidence, PausePicture, RunPicture, StreamPicture } from './fold/picture.ts'
export { type EdgePicture, edgesOf } from './fold/select/edges.ts'
export { heldMsOf, runHeldMs } from './fold/select/held-time.ts'
export { type NodePicture, nodePictureOf, nodesOf } from './fold/select/nodes.ts'
export { Stretches } from './fold/select/stretches.ts'
export { childrenOf, type RunTree, rootInstances, treeOf } from './fold/select/tree.ts'
export { runUsage } from './fold/select/usage.ts'
export { IDENTITY_FIELDS } from './identity-fields.ts'
export { isStorableId, isTraceRunId, MAX_ID_LENGTH, WILDCARD_RUN_ID } from './ids.ts'
export { exportJsonSchema, exportJsonSchemaString, type JsonSchema } from './json-schema.ts'
export { type ForbiddenMarker, findForbiddenMarker, TRUNCATED_SUFFIX } from './markers.ts'
export type { MessageDefinition } from './message.ts'
export { NODE_KINDS } from './node-kinds.ts'
export { MAX_TS, type ParseIssue, type ParseResult, parseEnvelope, parseFrame } from './parse.ts'
export {
  type BreakpointMatcher,
  type ErrorInfo,
  type GraphNodeHint,
  type NodeKind,
  PAUSE_POINTS,
  type PausePoint,
  type PauseReason,
  RESUME_ACTIONS,
  type Redaction,
  type RefusalCode,
  type ResumeAction,
  RUN_MODES,
  type RunMode,
  type RunStatus,
  type SdkInfo,
  type TokenDelta,
  type TokenUsage,
} from './primitives.ts'
export { completeQuery, type QueryCompletion, type QuerySuggestion } from './query/complete-query.ts'
export { matchesGlob } from './query/glob.ts'
export { type ChoiceKey, type NumberKey, QUERY_KEYS, type QueryForm, type QueryKey, type TextKey } from './query/keys.ts'
export { matchesRun, runLinkOf, runStateOf } from './query/matches-run.ts'
export { MAX_QUERY_FILTERS, MAX_QUERY_LENGTH, parseQuery } from './query/parse-query.ts'
export type { Query, QueryProblem, QueryProblemCode, QueryTerm } from './query/query.ts'
export { RUN_SORT_COLUMNS, type RunSort, type RunSortColumn, readRunSort } from './query/sort.ts'
export { isPlainText, type TextPattern } from './query/text-pattern.ts'
export type { QueryText, QueryToken, TextRange } from './query/tokens.ts'
export { type Bound, readDuration } from './query/values.ts'
export { type RunCategory, type RunInfo, type RunSource, type RunState, workMsOf } from './run-info.ts'
export { readSheet, type SheetEvents } from './sheet/read-sheet.ts'
export type { Sheet, SheetColumn, SheetRow, SheetShape } from './sheet/sheet.ts'
export type {
  BreakpointState,
  BreakpointStatus,
  PauseInfo,
  ResumeOutcome,
  UiClientMessage,
  UiServerMessage,
  ViewerErrorCode,
} from './ui/messages.ts'
export { PROTOCOL_VERSION } from './version.ts'
