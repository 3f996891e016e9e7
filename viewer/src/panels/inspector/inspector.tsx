import type { InstancePicture } from '@graphmind-ai/schema'
import { Tabs } from 'radix-ui'
import { memo, useDeferredValue, useRef } from 'react'
import { INSPECTOR_TABS, type InspectorTab } from '../../model/address.ts'
import { OpenedKind } from '../../ui/opened.ts'
import { recall, remember } from '../../ui/remembered.ts'
import { useSelection } from '../../ui/use-selection.ts'
import { useFacts } from '../../ui/viewer-context.tsx'
import { CallTab } from './call-tab.tsx'
import { DiffTab } from './diff-tab.tsx'
import { EventsTab } from './events-tab.tsx'
import styles from './inspector.module.css'
import { InspectorHeader } from './inspector-header.tsx'
import { MessagesTab } from './messages-tab.tsx'
import { RawTab } from './raw-tab.tsx'
import { RunOverview } from './run-overview.tsx'
import { InputValue, OutputValue } from './values.tsx'
import { WhyItWaits } from './why-it-waits.tsx'

/** Everything about the selected instance, or about the run while nothing is selected. */
export function Inspector() {
  const { instanceId, tab, showTab } = useSelection()
  const picture = useFacts((state) => state.run?.picture)
  const resolved = instanceId === undefined ? undefined : (picture?.aliases.get(instanceId) ?? instanceId)
  const instance = useFacts((state) => (resolved === undefined ? undefined : state.run?.picture.instances.get(resolved)))
  const phase = useFacts((state) => state.run?.phase)
  const past = useFacts((state) => state.run?.asOf !== undefined)
  // The header is there at once; what is below comes when no key waits, and is left out for steps one only passes.
  const calm = useDeferredValue(instance)

  if (picture === undefined || instanceId === undefined) return <RunOverview />
  if (instance === undefined) {
    return (
      <section className={styles.panel} aria-label="Inspector">
        <p className={styles.empty}>
          {past
            ? 'At this moment the selected step had not started yet.'
            : phase === 'ready'
              ? 'This step is not in the run. The link may be for another run, or the step has not arrived yet; it opens here when it does.'
              : 'Loading the run…'}
        </p>
      </section>
    )
  }
  const first = instance.kind === 'llm' ? 'Messages' : 'Call'
  const shown = tab ?? recall(`tab:${instance.kind}`, readTab, 'messages')
  const pick = (picked: string) => {
    const known = readTab(picked)
    if (known === undefined) return
    remember(`tab:${instance.kind}`, known)
    showTab(known)
  }
  return (
    <section className={styles.panel} aria-label="Inspector">
      <InspectorHeader instance={instance} />
      <Tabs.Root className={styles.tabbed} value={shown} onValueChange={pick}>
        <Tabs.List className={styles.tabs} aria-label="What to look at">
          <Tabs.Trigger value="messages">{first}</Tabs.Trigger>
          <Tabs.Trigger value="input">Input</Tabs.Trigger>
          <Tabs.Trigger value="output">Output</Tabs.Trigger>
          <Tabs.Trigger value="diff">Diff</Tabs.Trigger>
          <Tabs.Trigger value="events">Events</Tabs.Trigger>
          <Tabs.Trigger value="raw">Raw</Tabs.Trigger>
        </Tabs.List>
        <Body instance={calm ?? instance} shown={shown} />
      </Tabs.Root>
    </section>
  )
}

const Body = memo(function Body({ instance, shown }: { instance: InstancePicture; shown: InspectorTab }) {
  const body = useRef<HTMLDivElement>(null)
  return (
    <Tabs.Content key={`${instance.id} ${shown}`} ref={body} value={shown} className={styles.body}>
      <OpenedKind value={instance.kind}>
        {(shown === 'messages' || shown === 'input' || shown === 'output') && <WhyItWaits instance={instance} />}
        {shown === 'messages' &&
          (instance.kind === 'llm' ? <MessagesTab instance={instance} scroller={body} /> : <CallTab instance={instance} />)}
        {shown === 'input' && <InputValue instance={instance} />}
        {shown === 'output' && <OutputValue instance={instance} />}
        {shown === 'diff' && <DiffTab instance={instance} />}
        {shown === 'events' && <EventsTab instance={instance} />}
        {shown === 'raw' && <RawTab instance={instance} />}
      </OpenedKind>
    </Tabs.Content>
  )
})

function readTab(stored: string): InspectorTab | undefined {
  return INSPECTOR_TABS.find((tab) => tab === stored)
}
