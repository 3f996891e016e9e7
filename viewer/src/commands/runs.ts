import type { RunInfo } from '@graphmind-ai/schema'
import type { Answer } from '../link/ask-api.ts'
import { deleteRun, markRun, type RunMarks, restoreRun } from '../link/runs-api.ts'
import { compareAddress } from '../model/compare-address.ts'
import { plural } from '../model/format.ts'
import { runsAddress } from '../model/runs-address.ts'
import type { Viewer } from '../ui/viewer-context.tsx'
import type { RowStep } from '../ui/workbench.ts'
import type { Command, CommandContext } from './command.ts'

const screenOf = ({ workbench }: Viewer) => workbench.getState().runsScreen
const rowsOf = (viewer: Viewer) => screenOf(viewer)?.runs
const chosenOf = (viewer: Viewer) => rowsOf(viewer)?.chosen() ?? []

const onRows = (context: CommandContext) => (screenOf(context)?.active() === true ? undefined : 'Go to a row of the runs list first.')
const onChosen = (context: CommandContext) => (chosenOf(context).length === 0 ? 'Choose a run of the list first.' : undefined)
const onOne = (context: CommandContext) => (chosenOf(context).length === 1 ? undefined : 'Choose one run of the list first.')

function moveCommand(id: string, title: string, key: string, step: RowStep): Command {
  return { id, group: 'Runs list', title, keys: [key], unavailable: onRows, run: (context) => screenOf(context)?.move(step) }
}

/** What can be done on the runs screen. */
export const RUNS_COMMANDS: readonly Command[] = [
  moveCommand('runs.next', 'Next row', 'ArrowDown', 'next'),
  moveCommand('runs.previous', 'Row before', 'ArrowUp', 'previous'),
  moveCommand('runs.first', 'First row', 'Home', 'first'),
  moveCommand('runs.last', 'Last row that is read', 'End', 'last'),
  {
    id: 'runs.open',
    group: 'Runs list',
    title: 'Open what the row names',
    keys: ['Enter'],
    unavailable: onRows,
    run: (context) => screenOf(context)?.open(),
  },
  {
    id: 'runs.select',
    group: 'Runs list',
    title: 'Select the run, or not',
    keys: ['Space'],
    unavailable: (context) => onRows(context) ?? onRuns(context),
    run: (context) => rowsOf(context)?.toggle(),
  },
  {
    id: 'runs.select-all',
    group: 'Runs list',
    title: 'Select all runs that are read, or none',
    keys: ['Mod+a'],
    unavailable: (context) => onRows(context) ?? onRuns(context),
    run: (context) => rowsOf(context)?.selectAll(),
  },
  {
    id: 'runs.pin',
    group: 'Runs list',
    title: 'Pin the run, or not: pinned ones are never deleted by age',
    keys: ['Shift+P'],
    unavailable: onChosen,
    run: (context) => void pinRuns(context, chosenOf(context)),
  },
  {
    id: 'runs.rename',
    group: 'Runs list',
    title: 'Rename the run',
    keys: ['F2'],
    unavailable: onOne,
    run: (context) => rowsOf(context)?.edit('name'),
  },
  {
    id: 'runs.marks',
    group: 'Runs list',
    title: 'Tags and note',
    keys: ['Shift+T'],
    unavailable: onChosen,
    run: (context) => rowsOf(context)?.edit('marks'),
  },
  {
    id: 'runs.delete',
    group: 'Runs list',
    title: 'Delete the run',
    keys: ['Delete'],
    unavailable: onChosen,
    run: (context) => void deleteRuns(context, chosenOf(context)),
  },
  {
    id: 'runs.undo',
    group: 'Runs list',
    title: 'Bring the deleted runs back',
    keys: ['Mod+z'],
    // In a field the same keys take back what was typed.
    unavailable: (context) =>
      onRows(context) ?? (context.workbench.getState().deleted.length === 0 ? 'No run was deleted just now.' : undefined),
    run: (context) => void undoDelete(context),
  },
  {
    id: 'go.search',
    group: 'Go',
    title: 'Search in what went through the calls',
    keys: ['g f'],
    unavailable: () => undefined,
    run: ({ navigate }) => navigate(runsAddress({ view: 'search' })),
  },
]

function onRuns(context: CommandContext): string | undefined {
  return rowsOf(context) === undefined ? 'Show the runs first.' : undefined
}

/** Why the chosen runs can't be compared; undefined when they can. */
export function pairProblem(context: CommandContext): string | undefined {
  return chosenOf(context).length === 2 ? undefined : 'Select two runs with Space first.'
}

/** Puts the two chosen runs side by side, the older one as the one to compare with. */
export function compareChosen(context: CommandContext): void {
  const [left, right] = chosenOf(context).toSorted((one, other) => one.startedAt - other.startedAt)
  if (left !== undefined && right !== undefined) context.navigate(compareAddress({ left: left.id, right: right.id }))
}

/** Pins them, or unpins them where all are pinned. */
export async function pinRuns(viewer: Viewer, runs: readonly RunInfo[]): Promise<void> {
  const pinned = !runs.every((run) => run.pinned)
  const words = pinned ? 'Pinned' : 'No longer pinned'
  await markRuns(
    viewer,
    runs,
    () => ({ pinned }),
    (done) => `${words}: ${namesOf(done)}.`,
  )
}

/** Says something of each run; the link brings the changed rows. */
export async function markRuns(
  { workbench }: Viewer,
  runs: readonly RunInfo[],
  marks: (run: RunInfo) => RunMarks,
  words: (done: readonly RunInfo[]) => string,
): Promise<void> {
  const { done, problems } = await eachOf(runs, (run) => markRun(run.id, marks(run)))
  const said = [...(done.length === 0 ? [] : [words(done)]), ...problems]
  workbench.setState({ toast: { text: said.join(' '), isProblem: problems.length > 0, undoable: false } })
}

/** Takes runs out of the list; for ten minutes they can be brought back. */
export async function deleteRuns({ workbench }: Viewer, runs: readonly RunInfo[]): Promise<void> {
  const { done, problems } = await eachOf(runs, (run) => deleteRun(run.id))
  const said = [...(done.length === 0 ? [] : [`Deleted ${namesOf(done)}.`]), ...problems]
  workbench.setState({
    toast: { text: said.join(' '), isProblem: problems.length > 0, undoable: done.length > 0 },
    ...(done.length > 0 ? { deleted: done } : {}),
  })
}

/** Brings back what was deleted last. */
export async function undoDelete({ workbench }: Viewer): Promise<void> {
  const { deleted } = workbench.getState()
  workbench.setState({ deleted: [] })
  const { done, problems } = await eachOf(deleted, (run) => restoreRun(run.id))
  const said = [...(done.length === 0 ? [] : [`Brought back ${namesOf(done)}.`]), ...problems]
  workbench.setState({ toast: { text: said.join(' '), isProblem: problems.length > 0, undoable: false } })
}

async function eachOf(runs: readonly RunInfo[], act: (run: RunInfo) => Promise<Answer<unknown>>) {
  const done: RunInfo[] = []
  const problems: string[] = []
  for (const run of runs) {
    const answer = await act(run)
    if (answer.ok) done.push(run)
    else problems.push(`${run.name}: ${answer.problem}`)
  }
  return { done, problems }
}

function namesOf(runs: readonly RunInfo[]): string {
  return runs.length === 1 ? (runs[0]?.name ?? '') : plural(runs.length, 'run')
}
