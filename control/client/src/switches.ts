/** The environment of the instrumented program, or a stand-in for it. */
export type Environment = Readonly<Record<string, string | undefined>>

/** The four redaction switches under the names that `hello.hide` uses. */
export interface HideSwitches {
  readonly hideInputs: boolean
  readonly hideOutputs: boolean
  readonly hideToolArgs: boolean
  readonly hideToolResults: boolean
}

/** A privacy switch as an option: `true`, 1, "1" or "true" turn it on, and so does anything else that is not clearly off. */
export type SwitchOption = boolean | number | string | undefined
export type HideOptions = { readonly [Name in keyof HideSwitches]?: SwitchOption }

const OFF_WORDS = new Set(['', '0', 'false', 'off', 'no'])

/** 0, false, off, no, or nothing at all. */
export function isOffWord(value: NonNullable<SwitchOption>): boolean {
  return OFF_WORDS.has(String(value).trim().toLowerCase())
}

/** Kill and privacy switches fail closed: on for any value but unset, empty, 0, false, off and no. */
export function isOn(value: SwitchOption): boolean {
  return value !== undefined && !isOffWord(value)
}

/** Whether the session does anything at all: GRAPHMIND_DISABLED, then the option, then NODE_ENV=production without GRAPHMIND=1. */
export function isEnabled(option: boolean | undefined, environment: Environment): boolean {
  if (isOn(environment['GRAPHMIND_DISABLED'])) return false
  if (option !== undefined) return option
  return environment['NODE_ENV'] !== 'production' || environment['GRAPHMIND'] === '1'
}

/** The environment is a floor: code can turn a switch on, never off. */
export function readHideSwitches(options: HideOptions, environment: Environment): HideSwitches {
  return {
    hideInputs: isOn(options.hideInputs) || isOn(environment['GRAPHMIND_HIDE_INPUTS']),
    hideOutputs: isOn(options.hideOutputs) || isOn(environment['GRAPHMIND_HIDE_OUTPUTS']),
    hideToolArgs: isOn(options.hideToolArgs) || isOn(environment['GRAPHMIND_HIDE_TOOL_ARGS']),
    hideToolResults: isOn(options.hideToolResults) || isOn(environment['GRAPHMIND_HIDE_TOOL_RESULTS']),
  }
}

/** Names of the switches that are on, for `hello.hide`. */
export function activeSwitches(hide: HideSwitches): string[] {
  return Object.entries(hide).flatMap(([name, on]) => (on ? [name] : []))
}
