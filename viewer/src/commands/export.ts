import { EXPORT_FORMATS, type ExportFormat, saveRun } from '../link/export-run.ts'
import type { Viewer } from '../ui/viewer-context.tsx'
import type { Command } from './command.ts'

/** Saves a run as a file, and tells how that went. */
export function saveRunAs({ store, workbench }: Viewer, runId: string, format: ExportFormat): void {
  workbench.setState({ announcement: 'Fetching the run…' })
  void saveRun(runId, format).then((problem) => {
    if (problem === undefined) workbench.setState({ announcement: 'The run was saved' })
    else store.setState({ problem: `The run was not saved. ${problem}` })
  })
}

/** One command a format. */
export const EXPORT_COMMANDS: readonly Command[] = EXPORT_FORMATS.map(({ format, title }) => ({
  id: `run.save-${format}`,
  group: 'Run',
  title: `Save the run: ${title}`,
  keys: [],
  unavailable: ({ store }) => (store.getState().run === undefined ? 'Open a run first.' : undefined),
  run(context) {
    const { run } = context.store.getState()
    if (run !== undefined) saveRunAs(context, run.runId, format)
  },
}))
