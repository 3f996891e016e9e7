import type { RunsView } from '../../model/runs-address.ts'
import { Choice } from '../../ui/choice.tsx'
import { Conversations } from './conversations.tsx'
import styles from './runs.module.css'
import { RunsList } from './runs-list.tsx'
import { SearchCalls } from './search-calls.tsx'
import { useRunsAddress } from './use-runs-address.ts'

const VIEWS = [
  { value: 'runs', label: 'Runs' },
  { value: 'conversations', label: 'Conversations' },
  { value: 'search', label: 'Search in calls' },
] as const

const VIEW: Record<RunsView, () => React.ReactNode> = { runs: RunsList, conversations: Conversations, search: SearchCalls }

/** What there is to look through: runs, conversations, and what went through the calls. */
export default function RunsViews() {
  const { view, go } = useRunsAddress()
  const Shown = VIEW[view]
  return (
    <>
      <div className={styles.views}>
        <h1 className="visually-hidden">Runs</h1>
        <Choice legend="What is listed" options={VIEWS} chosen={view} choose={(chosen) => go({ view: chosen })} />
      </div>
      <Shown />
    </>
  )
}
