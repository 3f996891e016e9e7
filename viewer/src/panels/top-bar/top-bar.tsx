import { nodesOf, type RunInfo, runHeldMs, runUsage } from '@graphmind-ai/schema'
import { Keyboard, Moon, PanelLeft, PanelRight, Plug, PlugZap, Search, Sun, Unplug } from 'lucide-react'
import { useMemo } from 'react'
import { Link, useLocation, useRoute, useSearch } from 'wouter'
import { readSelection } from '../../model/address.ts'
import { cost, count, dateTime, duration, exactDuration, exactly, plural, ticking } from '../../model/format.ts'
import { detachedReason, LINK_WORDS, type LinkKind, linkKind, runState, STATE_WORDS } from '../../model/states.ts'
import { IconButton } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { StateChip } from '../../ui/state-mark.tsx'
import { useKeyOf } from '../../ui/use-key-of.ts'
import { useRunNow } from '../../ui/use-now.ts'
import { useScreen } from '../../ui/use-screen.ts'
import { useFacts, useViewer, useWorkbench } from '../../ui/viewer-context.tsx'
import { togglePanel, toggleTheme } from '../../ui/workbench.ts'
import { ExportMenu } from './export-menu.tsx'
import { Freshness } from './freshness.tsx'
import { ModeSwitch } from './mode-switch.tsx'
import { SessionNeighbours } from './session-neighbours.tsx'
import styles from './top-bar.module.css'

const PAGES = [
  { address: '/', title: 'Runs' },
  { address: '/breakpoints', title: 'Breakpoints' },
  { address: '/settings', title: 'Settings' },
] as const

export function TopBar() {
  const keyOf = useKeyOf()
  const { workbench, recorded } = useViewer()
  const [onRun] = useRoute('/run/:runId')
  const [path] = useLocation()
  const alone = readSelection(useSearch()).panel !== undefined
  const screen = useScreen()
  const openedRun = useFacts((state) => state.run?.runId)
  const outline = useWorkbench((state) => state.outline)
  const inspector = useWorkbench((state) => state.inspector)
  return (
    <header className={styles.bar} data-run={onRun}>
      {recorded === undefined ? (
        <Link href="/" className={styles.brand}>
          <img src="/favicon.svg" width={18} height={18} alt="" />
          <span className={styles.brandName}>GraphMind</span>
        </Link>
      ) : (
        <span className={styles.brand}>GraphMind</span>
      )}
      <nav className={styles.path} aria-label={onRun ? 'Breadcrumb' : 'Pages'} data-pages={!onRun}>
        {onRun ? (
          <>
            {recorded === undefined && <Link href="/">Runs</Link>}
            {recorded === undefined && <span aria-hidden="true">▸</span>}
            <RunName />
            <Neighbours />
          </>
        ) : (
          PAGES.map(({ address, title }) => (
            <Link key={address} href={address} aria-current={address === path ? 'page' : undefined}>
              {title}
            </Link>
          ))
        )}
      </nav>
      {onRun && <RunFacts />}
      <div className={styles.end}>
        {recorded === undefined && <ModeSwitch />}
        {recorded === undefined && <Freshness />}
        {onRun && !alone && screen !== 'narrow' && (
          <>
            <IconButton
              label="Outline"
              keyHint={keyOf('view.outline')}
              aria-pressed={outline}
              onClick={() => togglePanel(workbench, 'outline')}
            >
              <PanelLeft size={15} aria-hidden="true" />
            </IconButton>
            <IconButton
              label="Inspector"
              keyHint={keyOf('view.inspector')}
              aria-pressed={inspector}
              onClick={() => togglePanel(workbench, 'inspector')}
            >
              <PanelRight size={15} aria-hidden="true" />
            </IconButton>
          </>
        )}
        {onRun && openedRun !== undefined && <ExportMenu runId={openedRun} />}
        <IconButton label="Find" keyHint={keyOf('view.palette')} onClick={() => workbench.setState({ palette: true })}>
          <Search size={15} aria-hidden="true" />
        </IconButton>
        <IconButton label="Light or dark" keyHint={keyOf('view.theme')} onClick={() => toggleTheme(workbench)}>
          <Sun size={15} aria-hidden="true" className={styles.sun} />
          <Moon size={15} aria-hidden="true" className={styles.moon} />
        </IconButton>
        {screen !== 'narrow' && (
          <IconButton label="All keys" keyHint={keyOf('view.help')} onClick={() => workbench.setState({ help: true })}>
            <Keyboard size={15} aria-hidden="true" />
          </IconButton>
        )}
      </div>
    </header>
  )
}

function useOpenRun() {
  const run = useFacts((state) => state.run)
  const info = useFacts((state) => (state.run === undefined ? undefined : state.runs?.get(state.run.runId)))
  return { run, info }
}

function RunName() {
  const { run, info } = useOpenRun()
  const name = run?.picture.name ?? info?.name ?? run?.picture.app ?? run?.runId ?? ''
  return (
    <h1 className={styles.name} aria-current="page" title={run === undefined ? name : `${name} · ${run.runId}`}>
      {name}
    </h1>
  )
}

function Neighbours() {
  const { recorded } = useViewer()
  const { info } = useOpenRun()
  return info?.sessionId === undefined || recorded !== undefined ? null : (
    <SessionNeighbours key={info.id} runId={info.id} sessionId={info.sessionId} />
  )
}

const LINK_ICONS = { attached: PlugZap, detached: Unplug, imported: Plug } satisfies Record<LinkKind, unknown>

function RunFacts() {
  const { run, info } = useOpenRun()
  const mode = useFacts((facts) => facts.mode)
  const isLoading = run?.phase === 'loading'
  // Before the history is complete, what the server sums up is all there is to know.
  const state = runState(run?.asOf === undefined ? info : undefined, isLoading && info !== undefined ? undefined : run?.picture, mode)
  const open = state === 'running' || state === 'step' || state === 'paused'
  const now = useRunNow(100, open)
  const picture = run?.picture
  const commit = run?.commit
  // The picture changes in place; the commit says that it did.
  const heldMs = useMemo(() => (picture === undefined || commit === undefined ? 0 : runHeldMs(picture, now)), [picture, commit, now])
  if (run === undefined || run.phase === 'missing' || (info === undefined && run.picture.lastSeq < 0)) return null
  const startedAt = run.picture.startedAt ?? info?.startedAt
  const ended = run.picture.finishedAt ?? info?.finishedAt ?? undefined
  const length = startedAt === undefined ? undefined : (info?.durationMs ?? (ended === undefined ? undefined : ended - startedAt))
  const workMs = length === undefined ? undefined : Math.max(0, length - heldMs)
  const steps = (isLoading ? info?.stepCount : undefined) ?? run.picture.instances.size
  // What the server sums up is of now.
  const errors = (run.asOf === undefined ? info?.errorCount : undefined) ?? nodesOf(run.picture).reduce((sum, node) => sum + node.errors, 0)
  const usage = run.asOf === undefined ? (info?.usage ?? runUsage(run.picture)) : runUsage(run.picture)
  const tokens = usage === undefined ? undefined : usage.inputTokens + usage.outputTokens
  const dollars = run.asOf === undefined ? (info?.costUsd ?? usage?.costUsd) : usage?.costUsd
  return (
    <div className={styles.facts}>
      <span role="status" aria-label="Run status" className={styles.state}>
        <StateChip state={state} flawed={errors > 0} />
      </span>
      {info !== undefined && <LinkFact info={info} state={linkKind(info)} />}
      <span
        className={styles.fact}
        title={[
          startedAt !== undefined && `Started ${dateTime(startedAt)}`,
          !open && workMs !== undefined && `took ${exactDuration(workMs)}`,
        ]
          .filter(Boolean)
          .join(', ')}
      >
        {open && startedAt !== undefined ? ticking(now - startedAt - heldMs) : duration(workMs)}
      </span>
      {heldMs > 0 && (
        <span className={styles.fact} title="Time in which a call was held, not counted as duration">
          + {state === 'paused' ? ticking(heldMs) : duration(heldMs)} held
        </span>
      )}
      {errors > 0 && (
        <span className={cx(styles.fact, styles.errors)} title={`${exactly(errors)} calls failed`}>
          {plural(errors, 'error')}
        </span>
      )}
      <span className={styles.fact} title={`${exactly(steps)} steps`}>
        {plural(steps, 'step')}
      </span>
      <span
        className={styles.fact}
        title={
          usage === undefined ? 'No model call reported tokens' : `${exactly(usage.inputTokens)} in, ${exactly(usage.outputTokens)} out`
        }
      >
        {count(tokens)} tok
      </span>
      {dollars !== undefined && (
        <span className={styles.fact} title={`${exactly(dollars)} US dollars, as reported`}>
          {cost(dollars)}
        </span>
      )}
    </div>
  )
}

function LinkFact({ info, state }: { info: RunInfo; state: LinkKind }) {
  const Icon = LINK_ICONS[state]
  const why =
    state === 'attached'
      ? 'The agent’s control link is up.'
      : (detachedReason(info) ?? 'Read from a file or finished spans: no live control.')
  return (
    <span className={styles.fact} title={`${why} ${STATE_WORDS[info.status]}.`}>
      <Icon size={13} aria-hidden="true" className={state === 'attached' ? styles.attached : undefined} />
      {LINK_WORDS[state]}
    </span>
  )
}
