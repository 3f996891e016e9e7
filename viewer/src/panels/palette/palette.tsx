import type { NodeKind } from '@graphmind-ai/schema'
import { Activity, ChevronRight } from 'lucide-react'
import { Dialog } from 'radix-ui'
import { type KeyboardEvent, useMemo, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import type { CommandContext } from '../../commands/command.ts'
import { COMMANDS } from '../../commands.ts'
import { readSelection, runAddress } from '../../model/address.ts'
import { compareAddress } from '../../model/compare-address.ts'
import { dateTime } from '../../model/format.ts'
import { keysFor, shownKey } from '../../model/key-settings.ts'
import { fitOf, hasWords, palettePlaces } from '../../model/palette.ts'
import { STATE_WORDS } from '../../model/states.ts'
import { KindIcon } from '../../ui/kind-icon.tsx'
import { useFacts, useViewer, useWorkbench } from '../../ui/viewer-context.tsx'
import styles from './palette.module.css'
import { useFoundRuns } from './use-found-runs.ts'

const FIND = 'Find a command, run, node or step'
const COMPARE = 'Compare with which run?'

/** ⌘K: every command with its key, and every run, node and step by name. */
export function Palette() {
  const { workbench } = useViewer()
  const open = useWorkbench((state) => state.palette)
  const compareWith = typeof open === 'object' ? open.compareWith : undefined
  return (
    <Dialog.Root open={open !== false} onOpenChange={(palette) => workbench.setState({ palette })}>
      <Dialog.Portal>
        <Dialog.Overlay className={styles.overlay} />
        <Dialog.Content className={styles.palette} aria-describedby={undefined}>
          <Dialog.Title className="visually-hidden">{compareWith === undefined ? FIND : COMPARE}</Dialog.Title>
          <Finder compareWith={compareWith} close={() => workbench.setState({ palette: false })} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

interface Choice {
  readonly key: string
  readonly title: string
  readonly detail: string
  readonly kind?: NodeKind | 'run' | undefined
  readonly keys?: string
  /** Why it can't be used; such ones come last. */
  readonly reason?: string | undefined
  readonly run: () => void
}

interface FinderProps {
  /** Only runs are offered, and the taken one is compared with this one. */
  readonly compareWith: string | undefined
  readonly close: () => void
}

function Finder({ compareWith, close }: FinderProps) {
  const viewer = useViewer()
  const [path, navigate] = useLocation()
  const search = useSearch()
  const run = useFacts((state) => state.run)
  const keys = useWorkbench((state) => state.keys)
  const [query, setQuery] = useState('')
  const runs = useFoundRuns(query)
  const [at, setAt] = useState(0)
  const choices = useMemo(() => {
    if (compareWith !== undefined) {
      const others = [...runs.values()].filter(({ id }) => id !== compareWith)
      return palettePlaces(`#${query}`, others, undefined, Date.now()).map(({ key, title, target }): Choice => {
        const other = runs.get(target)
        return {
          ...{ key, title, kind: 'run' },
          // Runs that are worth comparing often have the same name.
          detail: other === undefined ? target : `${STATE_WORDS[other.status].toLowerCase()}, started ${dateTime(other.startedAt)}`,
          run: () => navigate(compareAddress({ left: compareWith, right: target })),
        }
      })
    }
    const context: CommandContext = { ...viewer, address: { path, query: search }, navigate }
    const words = query.toLowerCase().split(/\s+/).filter(Boolean)
    const commands = COMMANDS.filter(
      (command) => command.id !== 'view.palette' && hasWords(`${command.group} ${command.title}`, words),
    ).map(
      (command): Choice => ({
        key: command.id,
        title: command.title,
        detail: command.group,
        keys: keysFor(command, keys)
          .map((key) => shownKey(key))
          .join(' or '),
        reason: command.unavailable(context),
        run: () => command.run(context),
      }),
    )
    const places = palettePlaces(query, runs.values(), run?.picture, Date.now()).map(
      ({ key, type, kind, title, detail, target }): Choice => ({
        key,
        kind,
        title,
        detail,
        run: () =>
          type === 'run' || run === undefined
            ? navigate(runAddress(target))
            : navigate(runAddress(run.runId, { ...readSelection(search), instanceId: target, tab: undefined }), { replace: true }),
      }),
    )
    const usable = [...commands.filter((choice) => choice.reason === undefined), ...places]
    const typed = words.map((word) => word.replace(/^[#@:]/, '')).filter(Boolean)
    // A stable sort, so that what fits equally well keeps its order.
    if (typed.length > 0) usable.sort((one, other) => fitOf(one.title, typed) - fitOf(other.title, typed))
    return [...usable, ...commands.filter((choice) => choice.reason !== undefined)]
  }, [viewer, path, search, navigate, query, runs, run, keys, compareWith])
  const active = choices[Math.min(at, choices.length - 1)]
  const take = (choice: Choice | undefined) => {
    if (choice === undefined || choice.reason !== undefined) return
    close()
    choice.run()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const last = choices.length - 1
    if (event.key === 'ArrowDown') setAt(at >= last ? 0 : at + 1)
    else if (event.key === 'ArrowUp') setAt(at <= 0 ? last : at - 1)
    else if (event.key === 'Enter') take(active)
    else return
    event.preventDefault()
    // The list is short, so the line is always in the page.
    requestAnimationFrame(() => document.querySelector('[data-palette-active="true"]')?.scrollIntoView({ block: 'nearest' }))
  }
  return (
    <>
      <input
        type="text"
        role="combobox"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={active === undefined ? undefined : `palette-${active.key}`}
        aria-label={compareWith === undefined ? FIND : COMPARE}
        placeholder={compareWith === undefined ? 'Command, #run, @node or :step' : 'Name, program or id of the run to compare with'}
        className={styles.input}
        value={query}
        onChange={({ target }) => {
          setQuery(target.value)
          setAt(0)
        }}
        onKeyDown={onKeyDown}
      />
      <div id="palette-list" role="listbox" aria-label="Found" tabIndex={-1} className={styles.list}>
        {choices.map((choice) => (
          <div
            key={choice.key}
            id={`palette-${choice.key}`}
            role="option"
            tabIndex={-1}
            aria-selected={choice === active}
            aria-disabled={choice.reason !== undefined}
            data-palette-active={choice === active}
            className={styles.choice}
            onPointerMove={() => setAt(choices.indexOf(choice))}
            onPointerUp={() => take(choice)}
          >
            <span className={styles.icon}>
              <ChoiceIcon kind={choice.kind} />
            </span>
            <span className={styles.title}>{choice.title}</span>
            <span className={styles.detail}>{choice.reason ?? choice.detail}</span>
            {choice.keys !== undefined && choice.keys !== '' && <kbd>{choice.keys}</kbd>}
          </div>
        ))}
      </div>
      {choices.length === 0 && (
        <p className={styles.none}>{compareWith === undefined ? 'Nothing has this in its name.' : 'No other run has this in its name.'}</p>
      )}
      <p className={styles.foot}>
        {compareWith === undefined && (
          <>
            <kbd>#</kbd> runs <kbd>@</kbd> nodes <kbd>:</kbd> steps
          </>
        )}
        <span className={styles.footEnd}>
          <kbd>↑↓</kbd> move <kbd>Enter</kbd> take <kbd>Esc</kbd> close
        </span>
      </p>
    </>
  )
}

function ChoiceIcon({ kind }: { kind: Choice['kind'] }) {
  if (kind === undefined) return <ChevronRight size={14} aria-hidden="true" />
  return kind === 'run' ? <Activity size={14} aria-hidden="true" /> : <KindIcon kind={kind} />
}
