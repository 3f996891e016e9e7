import type { NodeKind, PausePoint } from '@graphmind-ai/schema'
import { type Environment, isOffWord } from '../switches.ts'
import type { GateOptions, ModelEnd } from './gate.ts'

/** Which results hold a call though no breakpoint asks for it. */
export interface SmartSettings {
  readonly onErrorResult: boolean
  readonly onTruncated: boolean
}

/** The rule that held a call, and which of its signs was seen; the `smart` of exec.paused. Never quotes a value. */
export interface SmartFacts {
  readonly rule: 'error-result' | 'truncated-tool-call'
  readonly detail?: string
}

const CUT_OFF = new Set(['length', 'content-filter'])
const EXIT_CODES = ['exit_code', 'exitCode', 'exitStatus']

/** Both rules are on unless somebody turns them off; the environment beats the options. */
export function readSmartSettings(
  options: { readonly breakOnErrorResult?: boolean | undefined; readonly breakOnTruncated?: boolean | undefined },
  environment: Environment,
): SmartSettings {
  return {
    onErrorResult: readSwitch(environment['GRAPHMIND_BREAK_ON_ERROR_RESULT']) ?? options.breakOnErrorResult ?? true,
    onTruncated: readSwitch(environment['GRAPHMIND_BREAK_ON_TRUNCATED']) ?? options.breakOnTruncated ?? true,
  }
}

function readSwitch(text: string | undefined): boolean | undefined {
  return text === undefined || text.trim() === '' ? undefined : !isOffWord(text)
}

/** What in a call's result asks for a person, if anything: a tool that reports a failure as its result, or a tool call that was cut off. */
export function judgeResult(settings: SmartSettings, point: PausePoint, kind: NodeKind, options: GateOptions): SmartFacts | undefined {
  if (point === 'before') return undefined
  // The MCP proxy holds such a result at its error point.
  if (kind === 'tool') return settings.onErrorResult ? errorResult(options.output) : undefined
  if (kind !== 'llm' || point !== 'after' || !settings.onTruncated) return undefined
  return truncatedToolCall(options.modelEnd?.())
}

/** Whether a tool's result has one of the shapes of a failure. */
export function saysFailed(output: unknown): boolean {
  return errorResult(output) !== undefined
}

function errorResult(output: unknown): SmartFacts | undefined {
  if (typeof output !== 'object' || output === null || Array.isArray(output)) return undefined
  const sign = errorSign(output)
  return sign === undefined ? undefined : { rule: 'error-result', detail: sign }
}

/** Strict shapes only: a text that speaks of errors is no failure. */
function errorSign(output: object): string | undefined {
  try {
    if (Reflect.get(output, 'isError') === true) return 'Its isError is true.'
    if (Reflect.get(output, 'success') === false) return 'Its success is false.'
    const exit = EXIT_CODES.find((key) => isFailedExit(Reflect.get(output, key)))
    if (exit !== undefined) return `Its ${exit} is not 0.`
    return isOnlyError(output) ? 'It holds nothing but an error.' : undefined
  } catch {
    // A getter that throws says nothing about the call.
    return undefined
  }
}

function isFailedExit(code: unknown): boolean {
  return typeof code === 'number' && code !== 0 && !Number.isNaN(code)
}

function isOnlyError(output: object): boolean {
  const prototype: unknown = Reflect.getPrototypeOf(output)
  if (prototype !== null && prototype !== Object.prototype) return false
  const keys = Object.keys(output)
  if (keys.length !== 1 || keys[0] !== 'error') return false
  const error: unknown = Reflect.get(output, 'error')
  return error !== undefined && error !== null && error !== false
}

function truncatedToolCall(end: ModelEnd | undefined): SmartFacts | undefined {
  if (end?.finishReason === undefined || !CUT_OFF.has(end.finishReason) || end.toolCalls === 0) return undefined
  const calls = end.toolCalls === 1 ? '1 tool call' : `${end.toolCalls} tool calls`
  const broken = end.brokenCalls === 0 ? '' : ` The arguments of ${end.brokenCalls} are no whole JSON.`
  return { rule: 'truncated-tool-call', detail: `It ended with ${end.finishReason} and asked for ${calls}.${broken}` }
}
