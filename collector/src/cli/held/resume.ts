import { readFileSync } from 'node:fs'
import { RESUME_ACTIONS, type ResumeAction, type ResumeOutcome } from '@graphmind-ai/schema'
import { failed, messageOf, ok, type Result } from '../../problem.ts'
import type { Cli } from '../cli.ts'
import { type Answer, needServerApi, refusalOf, type ServerApi, type ServerFlags } from '../server/server-api.ts'
import { printable } from '../show/printable.ts'
import { heldCalls } from './pauses.ts'

export interface ResumeFlags extends ServerFlags {
  readonly run?: string
  readonly action: string
  readonly output?: string
  readonly input?: string
  readonly operator?: string
  readonly timeout?: string
  readonly json?: boolean
}

const DEFAULT_SECONDS = 30
const MAX_SECONDS = 120
const MAX_OPERATOR = 64

interface Command {
  readonly action: ResumeAction
  readonly output?: unknown
  readonly input?: unknown
  readonly operator?: string
  readonly timeoutMs: number
}

/** `graphmind resume`: lets one held call go, and waits until its program says that it went. */
export async function resume(pauseId: string, flags: ResumeFlags, { console, environment }: Cli): Promise<Result<undefined>> {
  const command = readCommand(flags)
  if (!command.ok) return command
  const server = await needServerApi(flags, environment)
  if (!server.ok) return server
  const run = flags.run === undefined ? await runOf(server.value, pauseId) : ok(flags.run)
  if (!run.ok) return run
  const released = await askToRelease(server.value, { runId: run.value, pauseId }, command.value)
  if (!released.ok) return released
  const { value: answer } = released
  if (flags.json === true) console.out(JSON.stringify(answer.body))
  const problem = problemOf(answer)
  if (problem !== undefined) return problem
  if (flags.json !== true) console.out(`${printable(pauseId)} went on: ${command.value.action}.`)
  return ok(undefined)
}

/** Lets a held call go; a problem with what happened when it did not go on. */
export async function releaseCall(
  server: ServerApi,
  pause: PauseKey,
  command: Omit<Command, 'timeoutMs'>,
): Promise<Result<{ readonly outcome: 'resumed' }>> {
  const answer = await askToRelease(server, pause, { ...command, timeoutMs: DEFAULT_SECONDS * 1000 })
  return answer.ok ? (problemOf(answer.value) ?? ok({ outcome: 'resumed' })) : answer
}

interface PauseKey {
  readonly runId: string
  readonly pauseId: string
}

function askToRelease(server: ServerApi, { runId, pauseId }: PauseKey, command: Command): Promise<Result<Answer>> {
  return server.ask(`/api/runs/${encodeURIComponent(runId)}/pauses/${encodeURIComponent(pauseId)}/resume`, {
    method: 'POST',
    body: command,
    timeoutMs: command.timeoutMs + 10_000,
  })
}

function readCommand({ action, output, input, operator, timeout }: ResumeFlags): Result<Command> {
  const known = RESUME_ACTIONS.find((name) => name === action)
  if (known === undefined) return failed('resume-action', `--action takes ${RESUME_ACTIONS.join(', ')}, not "${printable(action)}".`)
  if (output !== undefined && known !== 'inject')
    return failed('resume-output', '--output goes with --action inject. To change the input use --input.')
  if (known === 'inject' && output === undefined)
    return failed('resume-output', `--action inject needs the value: --output '{"ok": true}' or --output @file.json.`)
  if (input !== undefined && known !== 'continue' && known !== 'retry')
    return failed('resume-input', '--input goes with --action continue or retry.')
  if (operator !== undefined && operator.length > MAX_OPERATOR)
    return failed('resume-operator', `--operator takes at most ${MAX_OPERATOR} characters.`)
  const seconds = timeout === undefined ? DEFAULT_SECONDS : /^\d{1,3}$/.test(timeout) ? Number(timeout) : Number.NaN
  if (!(seconds <= MAX_SECONDS))
    return failed('resume-timeout', `--timeout takes 0 to ${MAX_SECONDS} seconds, not "${printable(timeout ?? '')}".`)
  const values = readValues({ output, input })
  if (!values.ok) return values
  return ok({ action: known, ...values.value, ...(operator === undefined ? {} : { operator }), timeoutMs: seconds * 1000 })
}

/** JSON as typed, or of a file after `@`. */
function readValues(texts: { readonly [name: string]: string | undefined }): Result<{ readonly [name: string]: unknown }> {
  const values: { [name: string]: unknown } = {}
  for (const [name, text] of Object.entries(texts)) {
    if (text === undefined) continue
    try {
      values[name] = JSON.parse(text.startsWith('@') ? readFileSync(text.slice(1), 'utf8') : text)
    } catch (error) {
      return failed(
        'resume-value',
        `--${name} is not JSON (${messageOf(error)}). A text needs its quotes: --${name} '"like this"'. A file: --${name} @file.json.`,
      )
    }
  }
  return ok(values)
}

async function runOf(server: ServerApi, pauseId: string): Promise<Result<string>> {
  const held = await heldCalls(server, undefined)
  if (!held.ok) return held
  const found = held.value.filter((pause) => pause.pauseId === pauseId)
  const [pause] = found
  if (pause === undefined)
    return failed(
      'no-such-pause',
      `No call ${printable(pauseId)} is held. It may have gone on already; graphmind pauses lists those that are.`,
    )
  if (found.length > 1) return failed('resume-run', `Several runs hold a call ${printable(pauseId)}. Name the run with --run.`)
  return ok(pause.runId)
}

/** Undefined when the call went on. */
function problemOf(answer: Answer): ReturnType<typeof failed> | undefined {
  const { outcome, message, by } = (answer.body ?? {}) as {
    readonly outcome?: ResumeOutcome
    readonly message?: string
    readonly by?: string
  }
  const said = message === undefined ? '' : `: ${printable(message)}`
  switch (outcome) {
    case 'resumed':
      return undefined
    case 'refused':
      if (answer.status === 403) return failed('not-authorised', message === undefined ? 'You may not do this here.' : printable(message))
      return failed('resume-refused', `The program refused${said || '.'} The call is still held; try again with another value or action.`)
    case 'taken':
      return failed(
        'resume-taken',
        `${by === undefined ? 'Someone' : printable(by)} let this call go first. graphmind pauses lists what is still held.`,
      )
    case 'timeout':
      return failed(
        'resume-no-answer',
        `The program has not answered yet${said || '.'} graphmind pauses says whether the call is still held.`,
      )
    case 'no-such-pause':
      return failed('no-such-pause', `That call is not held any more${said || '.'} graphmind pauses lists those that are.`)
    case undefined:
      return failed(answer.status === 404 ? 'no-such-pause' : 'resume', refusalOf(answer))
  }
}
