import { CircleAlert, CircleCheck, LoaderCircle, X } from 'lucide-react'
import { Link } from 'wouter'
import { runAddress } from '../../model/address.ts'
import { count, plural } from '../../model/format.ts'
import { IconButton } from '../../ui/button.tsx'
import type { FileImport } from '../../ui/imports.ts'
import { useViewer, useWorkbench } from '../../ui/viewer-context.tsx'
import styles from './import.module.css'

/** More runs of a file than these are found in the list. */
const MOST_RUNS = 8
const MOST_SKIPPED = 5

/** What became of the files that were given to this page. */
export function ImportList() {
  const { workbench } = useViewer()
  const imports = useWorkbench((state) => state.imports)
  if (imports.length === 0) return null
  const busy = imports.some(({ state }) => state !== 'done')
  return (
    <section className={styles.list} aria-label="Imported files">
      <header>
        <h2>{busy ? 'Importing…' : 'Imported'}</h2>
        <IconButton
          label={busy ? 'Close when all files are read' : 'Close'}
          disabled={busy}
          onClick={() => workbench.setState({ imports: [] })}
        >
          <X size={15} aria-hidden="true" />
        </IconButton>
      </header>
      <div role="status" className={styles.files}>
        <ul>
          {imports.map((each) => (
            <ImportLine key={each.id} imported={each} />
          ))}
        </ul>
      </div>
    </section>
  )
}

function ImportLine({ imported: { name, state, result } }: { imported: FileImport }) {
  const { runs, skipped, skippedCount, problem, records } = result
  return (
    <li className={styles.file}>
      <p className={styles.name} data-failed={problem !== undefined}>
        <FileIcon state={state} failed={problem !== undefined} />
        <strong title={name}>{name}</strong>
        <span>
          {state === 'waiting'
            ? 'waits'
            : state === 'reading'
              ? records === 0
                ? 'sending…'
                : `${count(records)} records…`
              : outcome(result)}
        </span>
      </p>
      {problem !== undefined && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
      {runs.slice(0, MOST_RUNS).map((run) => (
        <p key={run.id} className={styles.run}>
          <Link href={runAddress(run.id)}>{run.name}</Link> {run.stepCount === undefined ? '' : plural(run.stepCount, 'step')}
        </p>
      ))}
      {runs.length > MOST_RUNS && (
        <p className={styles.run}>
          <Link href="/">and {count(runs.length - MOST_RUNS)} more in the list</Link>
        </p>
      )}
      {skipped.slice(0, MOST_SKIPPED).map(({ line, reason }) => (
        <p key={`${line} ${reason}`} className={styles.skipped}>
          {line === undefined ? '' : `Line ${line}: `}
          {reason}
        </p>
      ))}
      {skippedCount > MOST_SKIPPED && <p className={styles.skipped}>and {count(skippedCount - MOST_SKIPPED)} more were skipped</p>}
    </li>
  )
}

function outcome({ runs, skippedCount, problem }: FileImport['result']): string {
  if (problem !== undefined && runs.length === 0) return 'not imported'
  return `${plural(runs.length, 'run')}${skippedCount === 0 ? '' : `, ${count(skippedCount)} skipped`}`
}

function FileIcon({ state, failed }: { state: FileImport['state']; failed: boolean }) {
  if (failed) return <CircleAlert size={14} aria-hidden="true" />
  return state === 'done' ? <CircleCheck size={14} aria-hidden="true" /> : <LoaderCircle size={14} aria-hidden="true" />
}
