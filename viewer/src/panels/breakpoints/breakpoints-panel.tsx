import { type BreakpointMatcher, breakpointId } from '@graphmind-ai/schema'
import { BellOff, Pencil, Plus, X } from 'lucide-react'
import { Switch } from 'radix-ui'
import { toggleMute } from '../../commands/breakpoints.ts'
import type { BreakpointState } from '../../link/viewer-state.ts'
import { draftOf, EMPTY_DRAFT } from '../../model/breakpoint-draft.ts'
import { breakpointWords, COMMON_BREAKPOINTS, findBreakpoint, isMuted, sameBreakpoint } from '../../model/breakpoints.ts'
import { plural } from '../../model/format.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { useKeyOf } from '../../ui/use-key-of.ts'
import { useFacts, useViewer, useWorkbench } from '../../ui/viewer-context.tsx'
import { BreakpointEditor } from './breakpoint-editor.tsx'
import styles from './breakpoints.module.css'

/** The collector's breakpoints: the three that everyone needs as switches, the others as rows in words. */
export function BreakpointsPanel({ titled = true }: { titled?: boolean }) {
  const keyOf = useKeyOf()
  const viewer = useViewer()
  const { actions, workbench } = viewer
  const breakpoints = useFacts((state) => state.breakpoints)
  const ready = useFacts((state) => state.link.phase === 'live')
  const editor = useWorkbench((state) => state.breakpointEditor)
  const write = (matcher: BreakpointMatcher | undefined) =>
    workbench.setState({ breakpointEditor: { matcher, draft: matcher === undefined ? EMPTY_DRAFT : draftOf(matcher) } })
  const others = breakpoints.filter((matcher) => !COMMON_BREAKPOINTS.some((common) => sameBreakpoint(common.matcher, matcher)))
  const muted = breakpoints.some(isMuted)
  const mute = {
    label: muted ? 'Switch the muted breakpoints on' : 'Mute all breakpoints',
    'aria-pressed': muted,
    disabled: !ready || breakpoints.length === 0,
    onClick: () => toggleMute(viewer),
  }
  return (
    <section className={styles.panel} aria-label="Breakpoints" data-editing={editor !== undefined}>
      <div className={styles.head}>
        {titled && <h2>Breakpoints</h2>}
        {titled ? (
          <>
            <IconButton {...mute} keyHint={keyOf('run.mute')}>
              <BellOff size={13} aria-hidden="true" />
            </IconButton>
            <IconButton label="New breakpoint" disabled={!ready} onClick={() => write(undefined)}>
              <Plus size={14} aria-hidden="true" />
            </IconButton>
          </>
        ) : (
          <PageButtons mute={mute} create={() => write(undefined)} ready={ready} />
        )}
      </div>
      {editor !== undefined && editor.matcher === undefined && <BreakpointEditor {...editor} />}
      <ul>
        {COMMON_BREAKPOINTS.map(({ label, matcher }) => {
          const set = findBreakpoint(breakpoints, matcher)
          const id = `breakpoint-${label.replaceAll(' ', '-')}`
          return (
            <li key={label} className={styles.common}>
              <label htmlFor={id}>{label}</label>
              <Switch.Root
                id={id}
                className={styles.switch}
                checked={set !== undefined}
                disabled={!ready}
                onCheckedChange={() => (set === undefined ? actions.setBreakpoint(matcher) : actions.clearBreakpoint(set))}
              >
                <Switch.Thumb className={styles.thumb} />
              </Switch.Root>
            </li>
          )
        })}
        {others.map((matcher) => {
          const id = breakpointId(matcher)
          return editor?.matcher !== undefined && breakpointId(editor.matcher) === id ? (
            <li key={id}>
              <BreakpointEditor matcher={matcher} draft={editor.draft} />
            </li>
          ) : (
            <BreakpointRow key={id} matcher={matcher} edit={() => write(matcher)} />
          )
        })}
      </ul>
    </section>
  )
}

interface PageButtonsProps {
  readonly mute: { readonly label: string; readonly 'aria-pressed': boolean; readonly disabled: boolean; readonly onClick: () => void }
  readonly create: () => void
  readonly ready: boolean
}

/** On a page of their own the buttons have room for words. */
function PageButtons({ mute: { label, ...mute }, create, ready }: PageButtonsProps) {
  const keyOf = useKeyOf()
  return (
    <>
      <Button look="primary" disabled={!ready} onClick={create}>
        <Plus size={14} aria-hidden="true" />
        New breakpoint
      </Button>
      <Button {...mute} keyHint={keyOf('run.mute')}>
        <BellOff size={13} aria-hidden="true" />
        {label}
      </Button>
    </>
  )
}

function BreakpointRow({ matcher, edit }: { matcher: BreakpointMatcher; edit: () => void }) {
  const { actions } = useViewer()
  const state = useFacts(({ breakpointStates }) => breakpointStates.get(breakpointId(matcher)))
  const words = breakpointWords(matcher)
  const off = matcher.enabled === false
  const muted = isMuted(matcher)
  const toggle = () => {
    const { enabled: _off, ...on } = matcher
    if (off) actions.setBreakpoint(on)
    else {
      // Switched off it has to be known by an id, else switching it on again would add a second one.
      if (matcher.id === undefined) actions.clearBreakpoint(matcher)
      actions.setBreakpoint({ ...matcher, id: matcher.id ?? `bp-${Math.random().toString(36).slice(2, 10)}`, enabled: false })
    }
  }
  return (
    <li className={styles.row} data-off={off}>
      <button
        type="button"
        role="switch"
        className={styles.onOff}
        aria-checked={!off}
        aria-label={`Breakpoint ${words}`}
        disabled={muted}
        title={muted ? 'Muted' : off ? 'Switch it on' : 'Switch it off'}
        onClick={toggle}
      >
        <span className={styles.rowDot} data-log={matcher.log === true} aria-hidden="true" />
      </button>
      <span className={styles.words}>
        {words}
        <small data-status={muted ? 'muted' : state?.status}>{muted ? 'Muted' : state === undefined ? '' : stateWords(state, off)}</small>
      </span>
      <IconButton label={`Change the breakpoint ${words}`} disabled={muted} onClick={edit}>
        <Pencil size={12} aria-hidden="true" />
      </IconButton>
      <IconButton label={`Remove the breakpoint ${words}`} onClick={() => actions.clearBreakpoint(matcher)}>
        <X size={13} aria-hidden="true" />
      </IconButton>
    </li>
  )
}

function stateWords({ status, reason, hits, lastError }: BreakpointState, off: boolean): string {
  if (off) return 'Switched off'
  const why = reason === undefined ? '' : `: ${reason}`
  switch (status) {
    case 'active':
      return [hits === 0 ? 'Active' : plural(hits, 'hit'), reason].filter(Boolean).join(' · ')
    case 'waiting':
      return `Waiting for an agent${why}`
    case 'impossible':
      return `Not possible here${why}`
    case 'failed':
      return `Condition failed${lastError === undefined ? why : `: ${lastError}`}`
    case 'disabled':
      return 'Switched off'
  }
}

/** Over every screen while all breakpoints are muted, so that nobody wonders why nothing stops. */
export function MuteBanner() {
  const keyOf = useKeyOf()
  const viewer = useViewer()
  const count = useFacts((state) => state.breakpoints.filter(isMuted).length)
  if (count === 0) return null
  return (
    <div className={styles.banner} role="status">
      <BellOff size={14} aria-hidden="true" />
      <span>{plural(count, 'breakpoint is', 'breakpoints are')} muted for every viewer: nothing stops there.</span>
      <Button keyHint={keyOf('run.mute')} onClick={() => toggleMute(viewer)}>
        Switch on
      </Button>
    </div>
  )
}
