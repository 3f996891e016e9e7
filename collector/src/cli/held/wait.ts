import { allows, type ControlLevel } from '@graphmind-ai/hub'
import type { PauseInfo, RunInfo } from '@graphmind-ai/schema'
import { failed, ok, type Result } from '../../problem.ts'
import type { Cli } from '../cli.ts'
import type { Console } from '../console.ts'
import { runLink } from '../runs/records.ts'
import { controlLevel, needServerApi, refusalOf, type ServerApi, type ServerFlags } from '../server/server-api.ts'
import { printable, printableLines, shellWord } from '../show/printable.ts'
import { heldCalls, pauseRow, reasonWords } from './pauses.ts'
import { type ShownValue, shownValue } from './value-file.ts'

export interface WaitFlags extends ServerFlags {
  readonly run?: string
  readonly timeout?: string
  readonly json?: boolean
}

const DEFAULT_TIMEOUT_SECONDS = 90
/** One question to the server waits at most this long. */
const POLL_SECONDS = 60

/** `graphmind wait`: ends when a call is held, and says what it holds and how to let it go. */
export async function waitForPause(flags: WaitFlags, { console, environment }: Cli): Promise<Result<undefined>> {
  const seconds = readSeconds(flags.timeout)
  if (!seconds.ok) return seconds
  const server = await needServerApi(flags, environment)
  if (!server.ok) return server
  const held = await firstHeld(server.value, flags.run, seconds.value)
  if (!held.ok) return held
  const [pause, ...others] = held.value
  const details = await detailsOf(server.value, pause)
  if (!details.ok) return details
  const resume = commands(pause, await controlLevel(server.value))
  const link = runLink(server.value.url, pause.runId, textOf(pause.payload['instanceId']))
  if (flags.json === true) console.out(JSON.stringify({ ...pauseRow(pause), ...filesOrValues(details.value), link, resume }))
  else print(pause, details.value, { others: others.length, link, resume }, console)
  return ok(undefined)
}

function readSeconds(text: string | undefined): Result<number> {
  if (text === undefined) return ok(DEFAULT_TIMEOUT_SECONDS)
  return /^\d{1,7}$/.test(text)
    ? ok(text === '0' ? Number.POSITIVE_INFINITY : Number(text))
    : failed('timeout-text', `--timeout takes whole seconds, or 0 to wait for ever, not "${printable(text)}".`)
}

type Held = readonly [PauseInfo, ...PauseInfo[]]

async function firstHeld(server: ServerApi, run: string | undefined, seconds: number): Promise<Result<Held>> {
  const deadline = performance.now() + seconds * 1000
  for (;;) {
    const leftSeconds = Math.ceil((deadline - performance.now()) / 1000)
    const held = await heldCalls(server, run, Math.max(0, Math.min(POLL_SECONDS, leftSeconds)))
    if (!held.ok) return held
    const [first, ...others] = held.value
    if (first !== undefined) return ok([first, ...others])
    const over = run === undefined ? undefined : await endOf(server, run)
    if (over?.ended === true) return failed('nothing-held', over.words)
    if (performance.now() >= deadline)
      return failed(
        'wait-timeout',
        `Nothing was held within ${seconds} seconds. ${over?.words ?? 'Wait longer with --timeout, or set a breakpoint.'}`,
      )
  }
}

/** Why nothing of this run is held: it has ended, or nobody knows it yet. Undefined while it runs. */
async function endOf(server: ServerApi, run: string): Promise<{ readonly ended: boolean; readonly words: string } | undefined> {
  const answer = await server.ask(`/api/runs/${encodeURIComponent(run)}`)
  if (!answer.ok) return undefined
  if (answer.value.status === 404) return { ended: false, words: `There is no run ${run} yet. graphmind runs lists those that are there.` }
  if (answer.value.status !== 200) return undefined
  const { status } = answer.value.body as RunInfo
  return status === 'running' ? undefined : { ended: true, words: `Run ${run} has ended (${status}), so nothing of it will be held.` }
}

interface Details {
  readonly input: ShownValue | undefined
  readonly output: ShownValue | undefined
  readonly error: ShownValue | undefined
}

async function detailsOf(server: ServerApi, { runId, pauseId, payload }: PauseInfo): Promise<Result<Details>> {
  const answer = await server.ask(`/api/runs/${encodeURIComponent(runId)}/pauses/${encodeURIComponent(pauseId)}`)
  if (!answer.ok) return answer
  if (answer.value.status === 404) return failed('nothing-held', refusalOf(answer.value))
  const { input, error } = answer.value.body as { readonly input: unknown; readonly error: unknown }
  const shown = (name: string, value: unknown) => (value == null ? undefined : shownValue(name, value))
  return ok({ input: shown('input', input), output: shown('output', payload['output']), error: shown('error', error) })
}

function filesOrValues(details: Details): object {
  return Object.fromEntries(
    Object.entries(details).flatMap(([name, shown]: [string, ShownValue | undefined]) => {
      if (shown === undefined) return []
      return 'file' in shown ? [[`${name}File`, shown.file]] : [[name, shown.value]]
    }),
  )
}

interface Next {
  readonly others: number
  readonly link: string
  readonly resume: readonly string[]
}

function print(pause: PauseInfo, details: Details, { others, link, resume }: Next, console: Console): void {
  const row = pauseRow(pause)
  const { runId, pauseId, node, point } = row
  console.out(
    `Held: ${printable(node)} at its ${point} gate (${printable(reasonWords(row))}), in run ${printable(runId)}, as ${printable(pauseId)}`,
  )
  for (const [name, shown] of Object.entries(details) as [string, ShownValue | undefined][]) {
    if (shown === undefined) continue
    if ('file' in shown) console.out(`${name}: too long to show, see ${shown.file}`)
    else console.out(`${name}: ${printableLines(name === 'error' ? errorText(shown.value) : JSON.stringify(shown.value, undefined, 2))}`)
  }
  if (others > 0) console.out(`${others} more held: graphmind pauses lists them.`)
  console.out(`\nLet it go in the viewer, ${link}${resume.length === 0 ? '.' : ', or with one of:'}`)
  for (const command of resume) console.out(`  ${printable(command)}`)
  if (resume.length === 0) console.out('Commands may only look: the server was started without --allow-control.')
}

/** Ready to run, for the actions that this gate can honour and the server allows. */
function commands(pause: PauseInfo, level: ControlLevel): readonly string[] {
  const { runId, pauseId, actions = ['continue', 'retry', 'inject', 'abort'] } = pauseRow(pause)
  const base = `graphmind resume ${shellWord(pauseId)} --run ${shellWord(runId)} --action`
  return actions
    .filter((action) => allows(level, action === 'inject' ? 'inject' : 'resume'))
    .map((action) => `${base} ${action}${action === 'inject' ? ' --output \'{"your": "value"}\'' : ''}`)
}

const STACK_LINES = 4

/** An error as a program prints it, with the top of its stack: the whole is in the viewer and in --json. */
function errorText(error: unknown): string {
  const { name, message, stack } = error as { readonly name?: unknown; readonly message?: unknown; readonly stack?: unknown }
  if (typeof name !== 'string' || typeof message !== 'string') return JSON.stringify(error, undefined, 2)
  const calls = (textOf(stack) ?? '').split('\n').filter((line) => /^\s+at /.test(line))
  const more = calls.length > STACK_LINES ? [`    … ${calls.length - STACK_LINES} more`] : []
  return [`${name}: ${message}`, ...calls.slice(0, STACK_LINES), ...more].join('\n')
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
