import type { PausePicture } from '@graphmind-ai/schema'
import { ChevronLeft, ChevronRight, CirclePause, CornerDownRight, TriangleAlert } from 'lucide-react'
import { performPauseAction } from '../../commands/held-call.ts'
import { dateTime, plural, ticking } from '../../model/format.ts'
import { ACTION_WORDS, effectWords, offers, type PauseAction, pauseTitle, whyItWaits } from '../../model/pauses.ts'
import { repeats } from '../../model/tool-definition.ts'
import { Button, IconButton, withKey } from '../../ui/button.tsx'
import { PanelBoundary } from '../../ui/panel-boundary.tsx'
import { useKeyOf } from '../../ui/use-key-of.ts'
import { useNow } from '../../ui/use-now.ts'
import { useRepeatCaution } from '../../ui/use-repeat-caution.ts'
import { useSelection } from '../../ui/use-selection.ts'
import { useFacts, useViewer, useWorkbench } from '../../ui/viewer-context.tsx'
import { AbortDialog } from './abort-dialog.tsx'
import { AllMenu } from './all-menu.tsx'
import { DraftEditor } from './draft-editor.tsx'
import styles from './pause-bar.module.css'
import { ReleaseNotices } from './release-notices.tsx'
import { useWaiting } from './use-waiting.ts'

/** What waits, and what can be done about it; above it, without moving anything, how the last holds ended. */
export function PauseBar() {
  const isOpen = useFacts((state) => state.run !== undefined)
  const waiting = useWaiting()
  const waiterId = useWorkbench((state) => state.waiterId)
  if (!isOpen) return null
  const current = waiting.find((pause) => pause.pauseId === waiterId) ?? waiting[0]
  return (
    <PanelBoundary name="pause">
      <div className={styles.place}>
        <ReleaseNotices />
      </div>
      {current !== undefined && <Waiter key={current.pauseId} pause={current} waiting={waiting} />}
    </PanelBoundary>
  )
}

function Waiter({ pause, waiting }: { pause: PausePicture; waiting: readonly PausePicture[] }) {
  const keyOf = useKeyOf()
  const viewer = useViewer()
  const { select } = useSelection()
  const editor = useWorkbench((state) => state.editor)
  const info = useFacts((state) => (state.run === undefined ? undefined : state.runs?.get(state.run.runId)))
  const request = useFacts((state) => state.requests.get(pause.pauseId))
  const offline = useFacts((state) => state.link.phase !== 'live')
  const caution = useRepeatCaution(pause)
  const now = useNow(100)
  const at = waiting.indexOf(pause)
  const show = (index: number) => viewer.workbench.setState({ waiterId: waiting.at(index % waiting.length)?.pauseId, editor: undefined })
  const refusal =
    request?.state === 'refused' ? request.message : pause.refused === undefined ? undefined : (pause.refused.message ?? pause.refused.code)
  const offered = offers(pause, info, request?.state)
  const editing = editor?.pauseId === pause.pauseId ? editor : undefined
  return (
    <section id="held" tabIndex={-1} className={styles.bar} aria-label="Paused">
      {editing !== undefined && <DraftEditor key={editing.kind} pause={pause} kind={editing.kind} refusal={refusal} />}
      <div className={styles.line}>
        <CirclePause size={20} aria-hidden="true" className={styles.icon} />
        <div className={styles.what}>
          <div className={styles.title}>
            <strong>{pauseTitle(pause)}</strong>
            <span title={`Since ${dateTime(pause.since)}`}>{ticking(now - pause.since)}</span>
            {pause.watched === false && <span>nobody was watching</span>}
            {pause.deadlineMs !== undefined && <span>goes on by itself in {ticking(pause.deadlineMs - now)}</span>}
            {waiting.length > 1 && (
              <div className={styles.queue}>
                <IconButton label="Previous held call" keyHint={keyOf('pause.previous')} onClick={() => show(at - 1)}>
                  <ChevronLeft size={14} aria-hidden="true" />
                </IconButton>
                {at + 1} of {plural(waiting.length, 'call')} waiting
                <IconButton label="Next held call" keyHint={keyOf('pause.next')} onClick={() => show(at + 1)}>
                  <ChevronRight size={14} aria-hidden="true" />
                </IconButton>
                <AllMenu offline={offline} />
              </div>
            )}
          </div>
          <p className={styles.why} title={whyItWaits(pause)}>
            {whyItWaits(pause)}
          </p>
          {refusal !== undefined && editing === undefined && (
            <p className={styles.refusal} role="alert">
              {refusal}
            </p>
          )}
          {caution !== undefined && offered.some((offer) => offer.offered && repeats(offer.action, pause)) && (
            <p className={styles.caution}>
              <TriangleAlert size={13} aria-hidden="true" />
              {caution}
            </p>
          )}
          {request?.state === 'sent' && (
            <p role="status">{now - request.sentAt > 5000 ? 'Sent. No answer from the agent yet.' : 'Sent…'}</p>
          )}
          {request?.state === 'taken' && <p role="status">Taken by the agent…</p>}
        </div>
        <div className={styles.actions}>
          {pause.instanceId !== undefined && (
            <Button
              look="quiet"
              keyHint={keyOf('pause.jump')}
              onClick={() => select(pause.instanceId)}
              title="Show the held call in the inspector"
            >
              <CornerDownRight size={13} aria-hidden="true" />
              Jump
            </Button>
          )}
          {offered.map((offer) => (
            <ActionButton
              key={offer.action}
              action={offer.action}
              pause={pause}
              reason={offline ? 'The collector can’t be reached.' : offer.offered ? undefined : offer.reason}
              active={editing?.kind === offer.action}
              caution={repeats(offer.action, pause) ? caution : undefined}
            />
          ))}
        </div>
      </div>
      <AbortDialog pause={pause} />
    </section>
  )
}

interface ActionButtonProps {
  readonly action: PauseAction
  readonly pause: PausePicture
  /** Why it can't be used; then the button stays, disabled, and says so. */
  readonly reason: string | undefined
  readonly active: boolean
  /** What to know before. */
  readonly caution: string | undefined
}

function ActionButton({ action, pause, reason, active, caution }: ActionButtonProps) {
  const viewer = useViewer()
  const effect = effectWords(action, pause.point)
  const told = caution === undefined ? effect : `${effect}. ${caution}`
  const key = useKeyOf()(`pause.${action}`)
  return (
    <Button
      look={action === 'continue' ? 'primary' : action === 'abort' ? 'danger' : 'plain'}
      keyHint={action === 'abort' ? undefined : key}
      title={reason ?? withKey(told, key)}
      aria-disabled={reason !== undefined}
      aria-description={reason ?? told}
      aria-expanded={action === 'inject' || action === 'edit' ? active : undefined}
      onClick={() => {
        if (reason === undefined) performPauseAction(viewer, action)
      }}
    >
      {ACTION_WORDS[action]}
    </Button>
  )
}
