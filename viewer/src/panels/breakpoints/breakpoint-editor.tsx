import { type BreakpointMatcher, NODE_KINDS, PAUSE_POINTS, type PausePoint } from '@graphmind-ai/schema'
import { lazy, type ReactNode, Suspense, useEffect, useId, useMemo, useState } from 'react'
import { type BreakpointDraft, matcherOf } from '../../model/breakpoint-draft.ts'
import { KIND_WORDS } from '../../model/breakpoints.ts'
import { checkDraft, type DraftCheck, problemOf, UNCHECKED, wouldMatch } from '../../model/draft-check.ts'
import { count, plural } from '../../model/format.ts'
import { whereWords } from '../../model/where-completion.ts'
import { Button } from '../../ui/button.tsx'
import { useFacts, useViewer } from '../../ui/viewer-context.tsx'
import styles from './breakpoint-editor.module.css'

const WhereEditor = lazy(() => import('../../ui/code/where-editor.tsx'))

const POINT_WORDS: Record<PausePoint, string> = { before: 'Before the call', after: 'After the call', error: 'On its error' }

interface BreakpointEditorProps {
  /** The one to change; undefined for a new one. */
  readonly matcher: BreakpointMatcher | undefined
  readonly draft: BreakpointDraft
}

/** All that a breakpoint can say. While it is open, the calls of this run that it would have matched are lit. */
export function BreakpointEditor({ matcher, draft }: BreakpointEditorProps) {
  const { actions, workbench } = useViewer()
  const [id] = useState(() => matcher?.id ?? `bp-${Math.random().toString(36).slice(2, 10)}`)
  const picture = useFacts((state) => state.run?.picture)
  const structure = useFacts((state) => state.run?.structure)
  const reading = matcherOf(draft, id)
  const check = useDraftCheck(draft)
  const problems = { name: problemOf(check.name), where: problemOf(check.where), hits: reading.ok ? undefined : reading.problem }
  const problem = problems.name ?? problems.where ?? problems.hits
  const matched = useMemo(
    () => (picture === undefined || structure === undefined ? undefined : wouldMatch(picture, draft, check)),
    [picture, structure, draft, check],
  )
  useEffect(() => {
    workbench.setState({ lit: matched?.ids })
    return () => workbench.setState({ lit: undefined })
  }, [workbench, matched])
  const close = () => workbench.setState({ breakpointEditor: undefined })
  const change = (part: Partial<BreakpointDraft>) =>
    workbench.setState(({ breakpointEditor: written }) =>
      written === undefined ? {} : { breakpointEditor: { ...written, draft: { ...written.draft, ...part } } },
    )
  const save = () => {
    if (!reading.ok || problem !== undefined) return
    // One with another id, or without, is another breakpoint to the collector.
    if (matcher !== undefined && (matcher.id === undefined || matcher.id !== reading.matcher.id)) actions.clearBreakpoint(matcher)
    actions.setBreakpoint(reading.matcher)
    close()
  }
  return (
    <form
      className={styles.editor}
      aria-label={matcher === undefined ? 'New breakpoint' : 'Change the breakpoint'}
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        close()
      }}
    >
      <fieldset className={styles.kinds}>
        <legend>Kind, any when none is chosen</legend>
        {NODE_KINDS.map((kind) => (
          <label key={kind} data-chosen={draft.kinds.includes(kind)}>
            <input
              type="checkbox"
              className="visually-hidden"
              checked={draft.kinds.includes(kind)}
              onChange={() => change({ kinds: NODE_KINDS.filter((each) => (each === kind) !== draft.kinds.includes(each)) })}
            />
            {KIND_WORDS[kind]}
          </label>
        ))}
      </fieldset>
      <Field label="Name" help="search, search* or /^search/i" problem={problems.name}>
        {(props) => <input {...props} type="text" value={draft.name} onChange={({ target }) => change({ name: target.value })} />}
      </Field>
      <Field label="Point">
        {(props) => (
          <select
            {...props}
            value={draft.point}
            onChange={({ target }) => change({ point: PAUSE_POINTS.find((point) => point === target.value) ?? 'before' })}
          >
            {PAUSE_POINTS.map((point) => (
              <option key={point} value={point}>
                {POINT_WORDS[point]}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field
        label="When"
        help="Asks input, output, usage, error, name, kind, duration. Ctrl Space lists what there is."
        problem={problems.where}
      >
        {(props) => (
          <div className={styles.where} data-invalid={problems.where !== undefined}>
            <Suspense fallback={<code>{draft.where}</code>}>
              <WhereEditor
                text={draft.where}
                describedBy={props['aria-describedby']}
                invalid={problems.where !== undefined}
                onChange={(where) => change({ where })}
                onSend={save}
                words={(path) => whereWords(path, picture, draft, check)}
              />
            </Suspense>
          </div>
        )}
      </Field>
      <Field label="Hit count" help="3, >= 3 or % 5" problem={problems.hits}>
        {(props) => <input {...props} type="text" value={draft.hits} onChange={({ target }) => change({ hits: target.value })} />}
      </Field>
      <div className={styles.checks}>
        <label>
          <input type="checkbox" checked={draft.once} onChange={({ target }) => change({ once: target.checked })} />
          Once, then gone
        </label>
        <label title="Marks the timeline and never holds">
          <input type="checkbox" checked={draft.log} onChange={({ target }) => change({ log: target.checked })} />
          Log only
        </label>
      </div>
      <p className={styles.would} role="status">
        {matched !== undefined && picture !== undefined && problem === undefined && (
          <>
            Would have matched <strong>{count(matched.ids.size)}</strong> of {count(picture.instances.size)} here.
            {matched.failed > 0 && (
              <span className={styles.failed}>
                {' '}
                For {plural(matched.failed, 'call')} it can’t be answered: {matched.lastError}
              </span>
            )}
          </>
        )}
      </p>
      <div className={styles.buttons}>
        <Button onClick={close} keyHint="Esc">
          Cancel
        </Button>
        <Button type="submit" look="primary" aria-disabled={problem !== undefined} title={problem}>
          {matcher === undefined ? 'Set breakpoint' : 'Save'}
        </Button>
      </div>
    </form>
  )
}

/** What the agent would say of the draft's name and condition; the last answer stands until the next one comes. */
function useDraftCheck({ name, where }: BreakpointDraft): DraftCheck {
  const [check, setCheck] = useState(UNCHECKED)
  useEffect(() => {
    let wanted = true
    void checkDraft({ name, where }).then((next) => {
      if (wanted) setCheck(next)
    })
    return () => {
      wanted = false
    }
  }, [name, where])
  return check
}

interface FieldProps {
  readonly label: string
  readonly help?: string
  readonly problem?: string | undefined
  readonly children: (props: { id: string; 'aria-describedby': string; 'aria-invalid': boolean }) => ReactNode
}

function Field({ label, help, problem, children }: FieldProps) {
  const id = useId()
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <div>
        {children({ id, 'aria-describedby': `${id}-help`, 'aria-invalid': problem !== undefined })}
        <small id={`${id}-help`} data-problem={problem !== undefined}>
          {problem ?? help}
        </small>
      </div>
    </div>
  )
}
