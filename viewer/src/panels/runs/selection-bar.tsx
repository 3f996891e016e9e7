import type { RunInfo } from '@graphmind-ai/schema'
import { useLocation, useSearch } from 'wouter'
import { COMMANDS } from '../../commands.ts'
import { plural } from '../../model/format.ts'
import { Button } from '../../ui/button.tsx'
import { useKeyOf } from '../../ui/use-key-of.ts'
import { useViewer } from '../../ui/viewer-context.tsx'
import styles from './runs.module.css'

const OFFERED = [
  { id: 'run.compare', title: 'Compare' },
  { id: 'runs.pin', title: 'Pin' },
  { id: 'runs.marks', title: 'Tag' },
  { id: 'runs.delete', title: 'Delete' },
] as const

/** What can be done with the selected runs; what can't says why. */
export function SelectionBar({ runs, clear }: { runs: readonly RunInfo[]; clear: () => void }) {
  const viewer = useViewer()
  const [path, navigate] = useLocation()
  const query = useSearch()
  const keyOf = useKeyOf()
  const context = { ...viewer, address: { path, query }, navigate }
  return (
    <div className={styles.selection} role="toolbar" aria-label="Selected runs">
      <strong>{plural(runs.length, 'run')} selected</strong>
      {OFFERED.map(({ id, title }) => {
        const command = COMMANDS.find((each) => each.id === id)
        const reason = id === 'run.compare' && runs.length !== 2 ? 'Select exactly two runs to compare them.' : undefined
        return (
          <Button
            key={id}
            look={id === 'runs.delete' ? 'danger' : 'plain'}
            keyHint={keyOf(id)}
            title={reason ?? command?.title}
            aria-disabled={reason !== undefined}
            onClick={() => reason === undefined && command?.run(context)}
          >
            {title}
          </Button>
        )
      })}
      <Button look="quiet" onClick={clear}>
        Select none
      </Button>
    </div>
  )
}
