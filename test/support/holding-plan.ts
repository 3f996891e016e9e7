import type { PausePoint, PayloadOf } from '@graphmind-ai/schema'
import type { Held, Reaction } from './viewer-script.ts'

/** One cell of the table: what is done where. `continue` has no cell of its own: the runs of the baseline show it. */
export interface Cell {
  readonly kind: 'tool' | 'llm'
  readonly point: PausePoint
  readonly action: 'inject' | 'retry' | 'abort' | 'edit'
}

/** What an example printed of one run. */
export interface Outcome {
  readonly text: string
  readonly model: number
  readonly tool: number
}

export const KINDS = ['tool', 'llm'] as const
export const POINTS = ['before', 'after', 'error'] as const
const ACTIONS: Readonly<Record<PausePoint, readonly Cell['action'][]>> = {
  before: ['inject', 'edit', 'abort'],
  after: ['retry', 'inject', 'abort'],
  error: ['retry', 'inject', 'edit', 'abort'],
}

export const CELLS: readonly Cell[] = KINDS.flatMap((kind) =>
  POINTS.flatMap((point) => ACTIONS[point].map((action): Cell => ({ kind, point, action }))),
)

/** The first runs only go on, so that the others have something to be compared with. */
export const BASELINE = ['ok', 'tool-fails', 'model-fails'] as const

/** What the example is told to do in each run: the baseline, then a run for each cell. */
export const PLAN: readonly string[] = [...BASELINE, ...CELLS.map(wishOf)]

function wishOf({ kind, point }: Pick<Cell, 'kind' | 'point'>): (typeof BASELINE)[number] {
  if (point !== 'error') return 'ok'
  return kind === 'tool' ? 'tool-fails' : 'model-fails'
}

/** Text that only a person can have put in. */
const TYPED = 'Typed by hand.'
const TYPED_WEATHER = { city: 'Lima', sky: TYPED }
export const EDITED_CITY = 'Oslo'

/** What the person at the debugger did, and what turned out to be offered. */
export class Operator {
  /** Kinds and points that were held at all. */
  readonly held = new Set<string>()
  /** Cells that were acted on. */
  readonly acted = new Set<Cell>()

  react({ runIndex, paused }: Held): Reaction {
    const point = paused.point
    this.held.add(`${paused.kind} ${point}`)
    const cell = CELLS[runIndex - BASELINE.length]
    if (cell === undefined || this.acted.has(cell) || cell.kind !== paused.kind || cell.point !== point || !offers(paused, cell)) {
      return { action: 'continue' }
    }
    this.acted.add(cell)
    return reactionOf(cell, paused)
  }
}

function offers(paused: PayloadOf<'exec.paused'>, { action, point }: Cell): boolean {
  if (action !== 'edit') return paused.actions?.includes(action) === true
  return paused.editable === true && (point === 'before' || paused.actions?.includes('retry') === true)
}

function reactionOf({ kind, point, action }: Cell, paused: PayloadOf<'exec.paused'>): Reaction {
  switch (action) {
    case 'inject':
      return { action, output: kind === 'tool' ? TYPED_WEATHER : TYPED }
    case 'edit':
      return { action: point === 'before' ? 'continue' : 'retry', input: kind === 'tool' ? { city: EDITED_CITY } : editedPrompt(paused) }
    case 'retry':
    case 'abort':
      return { action }
  }
}

/** The same conversation about another city. */
function editedPrompt({ input }: PayloadOf<'exec.paused'>): unknown {
  return JSON.parse(JSON.stringify(input).replaceAll('Lima', EDITED_CITY)) as unknown
}

/** What is wrong with a run in which the cell's action was taken; undefined when it did what it should. */
export function problemWith(cell: Cell, got: Outcome, baseline: Readonly<Record<string, Outcome>>): string | undefined {
  const wanted = expected(cell, baseline)
  const fits =
    (wanted.text === undefined || (wanted.exact === true ? got.text === wanted.text : got.text.includes(wanted.text))) &&
    (wanted.model === undefined || got.model === wanted.model) &&
    (wanted.tool === undefined || got.tool === wanted.tool)
  return fits ? undefined : `${cell.kind} ${cell.point} ${cell.action}: wanted ${JSON.stringify(wanted)}, got ${JSON.stringify(got)}`
}

function expected({ kind, point, action }: Cell, baseline: Readonly<Record<string, Outcome>>): Partial<Outcome> & { exact?: boolean } {
  const good = baseline['ok'] ?? { text: '', model: 0, tool: 0 }
  const ran = point === 'before' ? 0 : 1
  const modelsBefore = good.model === 0 ? 0 : 1
  switch (action) {
    case 'inject':
      return kind === 'tool' ? { text: TYPED, tool: ran } : { text: TYPED, exact: true, model: ran }
    case 'abort':
      return kind === 'tool'
        ? { text: 'aborted', exact: true, tool: ran, model: modelsBefore }
        : // What a model has streamed is out: a tool it asked for may be running when its last part is held.
          { text: 'aborted', exact: true, model: ran, ...(point === 'before' ? { tool: 0 } : {}) }
    case 'retry':
      return kind === 'tool' ? { text: good.text, exact: true, tool: 2 } : { text: good.text, exact: true, model: good.model + 1 }
    case 'edit':
      return kind === 'tool' ? { text: EDITED_CITY, tool: ran + 1 } : { text: EDITED_CITY, tool: 1 }
  }
}

/** The actions that a table cell lists. */
export function listed(kind: Cell['kind'], point: PausePoint, operator: Operator): string {
  if (!operator.held.has(`${kind} ${point}`)) return '–'
  const acted = [...operator.acted].filter((cell) => cell.kind === kind && cell.point === point).map((cell) => cell.action)
  const order: readonly string[] = ['retry', 'inject', 'edit', 'abort']
  return ['continue', ...order.filter((action) => acted.some((done) => done === action))].join(', ')
}
