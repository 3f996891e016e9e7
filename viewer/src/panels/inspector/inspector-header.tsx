import type { InstancePicture } from '@graphmind-ai/schema'
import { ChevronLeft, ChevronRight, X } from 'lucide-react'
import { Fragment, type ReactNode } from 'react'
import { PRICE_SOURCE } from '../../model/estimate.ts'
import { aboutCost, cost, count, dateTime, duration, exactDuration, exactly, MISSING, ticking } from '../../model/format.ts'
import { nodeOf, pathToRoot } from '../../model/rows.ts'
import { instanceState } from '../../model/states.ts'
import { timingOf } from '../../model/timing.ts'
import { IconButton } from '../../ui/button.tsx'
import { KindIcon } from '../../ui/kind-icon.tsx'
import { StateChip } from '../../ui/state-mark.tsx'
import { useEstimator } from '../../ui/use-estimator.ts'
import { useKeyOf } from '../../ui/use-key-of.ts'
import { useRunNow } from '../../ui/use-now.ts'
import { useOutlook } from '../../ui/use-outlook.ts'
import { useSelection } from '../../ui/use-selection.ts'
import { useFacts } from '../../ui/viewer-context.tsx'
import { BreakpointToggle } from '../breakpoints/breakpoint-toggle.tsx'
import styles from './inspector.module.css'

/** What is known at once about an instance; stays in sight while the body scrolls. */
export function InspectorHeader({ instance }: { instance: InstancePicture }) {
  const { select } = useSelection()
  const outlook = useOutlook()
  const picture = useFacts((state) => state.run?.picture)
  return (
    <header className={styles.header}>
      <div className={styles.titleLine}>
        <BreakpointToggle kind={instance.kind} name={instance.name} ungated={instance.ungated} />
        <span className={styles.kindIcon}>
          <KindIcon kind={instance.kind} size={15} />
        </span>
        <h2 title={`${instance.name} · ${instance.nodeId} · ${instance.id}`}>
          <span className={styles.kind}>{instance.kind}</span> {instance.name}
        </h2>
        <InstanceWalker instance={instance} />
        {instance.injected !== undefined && <span className={styles.mark}>injected</span>}
        {instance.edited !== undefined && <span className={styles.mark}>input edited</span>}
        <span className={styles.headState}>{picture !== undefined && <StateChip state={instanceState(picture, instance, outlook)} />}</span>
        <IconButton label="Close" keyHint="Esc" onClick={() => select(undefined)}>
          <X size={14} aria-hidden="true" />
        </IconButton>
      </div>
      <Facts instance={instance} abandoned={outlook === 'abandoned'} />
    </header>
  )
}

function InstanceWalker({ instance }: { instance: InstancePicture }) {
  const keyOf = useKeyOf()
  const { select } = useSelection()
  const ids = useFacts((state) => (state.run === undefined ? undefined : nodeOf(state.run.picture, instance.nodeId)?.instanceIds))
  if (ids === undefined || ids.length < 2) return null
  const at = ids.indexOf(instance.id)
  return (
    <span className={styles.walker}>
      <IconButton
        label="Previous time it ran"
        keyHint={keyOf('run.previous-instance')}
        disabled={at <= 0}
        onClick={() => select(ids[at - 1])}
      >
        <ChevronLeft size={14} aria-hidden="true" />
      </IconButton>
      <span title={`Run ${at + 1} of ${ids.length} of this node`}>
        {at + 1}/{ids.length}
      </span>
      <IconButton
        label="Next time it ran"
        keyHint={keyOf('run.next-instance')}
        disabled={at >= ids.length - 1}
        onClick={() => select(ids[at + 1])}
      >
        <ChevronRight size={14} aria-hidden="true" />
      </IconButton>
    </span>
  )
}

function Facts({ instance, abandoned }: { instance: InstancePicture; abandoned: boolean }) {
  const picture = useFacts((state) => state.run?.picture)
  const { select } = useSelection()
  const estimator = useEstimator()
  const now = useRunNow(100, !abandoned && (instance.status === 'running' || instance.status === 'paused'))
  if (picture === undefined) return null
  const { workMs, heldMs, open } = timingOf(picture, instance, now, abandoned)
  // From the root down to the caller, so that an agent inside an agent can be told from the same one elsewhere.
  const path = pathToRoot(picture, instance.id).slice(1).reverse()
  const firstToken =
    typeof instance.extra['firstTokenMs'] === 'number'
      ? instance.extra['firstTokenMs']
      : instance.stream === undefined
        ? undefined
        : instance.stream.firstAt - instance.startedAt
  const usage = instance.usage
  const estimatedUsd = estimator?.(instance)
  const model = instance.kind === 'llm'
  return (
    <dl className={styles.facts}>
      <Fact
        name="Duration"
        title={`Started ${dateTime(instance.startedAt)}${workMs === undefined || open ? '' : `, took ${exactDuration(workMs)}`}`}
      >
        {workMs === undefined ? MISSING : open && instance.status === 'running' ? ticking(workMs) : duration(workMs)}
      </Fact>
      {heldMs > 0 && (
        <Fact name="Held" title="Time it waited for a person, not counted as duration">
          {open && instance.status === 'paused' ? ticking(heldMs) : duration(heldMs)}
        </Fact>
      )}
      {firstToken !== undefined && (
        <Fact name="First token" title={exactDuration(firstToken)}>
          {duration(firstToken)}
        </Fact>
      )}
      {(model || usage !== undefined) && (
        <Fact
          name="Tokens"
          title={usage === undefined ? 'No tokens reported' : `${exactly(usage.inputTokens)} in, ${exactly(usage.outputTokens)} out`}
        >
          {usage === undefined ? MISSING : `${count(usage.inputTokens)} in · ${count(usage.outputTokens)} out`}
        </Fact>
      )}
      {part(usage?.cacheReadTokens) && (
        <Fact name="Cached" title={exactly(usage?.cacheReadTokens)}>
          {count(usage?.cacheReadTokens)}
        </Fact>
      )}
      {part(usage?.reasoningTokens) && (
        <Fact name="Reasoning" title={exactly(usage?.reasoningTokens)}>
          {count(usage?.reasoningTokens)}
        </Fact>
      )}
      {usage?.costUsd !== undefined && (
        <Fact name="Cost" title={`$${exactly(usage.costUsd)}, as reported by the agent`}>
          {cost(usage.costUsd)}
        </Fact>
      )}
      {model && usage !== undefined && usage.costUsd === undefined && estimatedUsd === undefined && (
        <Fact name="Cost" title="The agent reported none, and it can’t be estimated">
          unknown
        </Fact>
      )}
      {estimatedUsd !== undefined && (
        <Fact name="Estimated" title={`The agent reported no cost; about $${exactly(estimatedUsd)} by ${PRICE_SOURCE}`}>
          {aboutCost(estimatedUsd)}
        </Fact>
      )}
      {instance.model !== undefined && (
        <Fact name="Model" title={instance.provider}>
          {instance.model}
        </Fact>
      )}
      {instance.finishReason !== undefined && <Fact name="Ended by">{instance.finishReason}</Fact>}
      {(instance.attempt ?? instance.attempts ?? 1) > 1 && <Fact name="Attempt">{count(instance.attempt ?? instance.attempts)}</Fact>}
      {path.length > 0 && (
        <Fact name="In">
          <span className={styles.callPath}>
            {path.map((ancestor, at) => (
              <Fragment key={ancestor.id}>
                {at > 0 && <span aria-hidden="true">▸</span>}
                <button type="button" className={styles.link} onClick={() => select(ancestor.id)}>
                  {at === path.length - 1 && `${ancestor.kind} `}
                  {ancestor.name}
                </button>
              </Fragment>
            ))}
          </span>
        </Fact>
      )}
    </dl>
  )
}

function Fact({ name, title, children }: { name: string; title?: string | undefined; children: ReactNode }) {
  return (
    <div className={styles.fact} title={title}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** Whether a part of the tokens is worth a place: a reported zero says no more than an absent one. */
function part(tokens: number | undefined): boolean {
  return tokens !== undefined && tokens > 0
}
