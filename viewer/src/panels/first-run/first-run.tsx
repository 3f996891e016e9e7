import { Check, Copy } from 'lucide-react'
import { Tabs } from 'radix-ui'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { chooseFiles } from '../../ui/imports.ts'
import { useFacts, useViewer } from '../../ui/viewer-context.tsx'
import { DemoButton } from './demo-button.tsx'
import { FadedLayout } from './faded-layout.tsx'
import styles from './first-run.module.css'
import { IngestCounters } from './ingest-counters.tsx'

/** What a new user needs before anything arrived: the variables with the real address, what is heard, and a demo. */
export function FirstRun() {
  const server = useFacts((state) => state.serverVersion)
  const hasRuns = useFacts(({ runs }) => (runs?.size ?? 0) > 0)
  const { workbench } = useViewer()
  const address = window.location.origin
  return (
    <div className={styles.place}>
      <FadedLayout />
      <div className={styles.scroll}>
        <div className={styles.card}>
          <h1>{hasRuns ? 'Connect an agent' : 'Nothing has run yet'}</h1>
          <p className={styles.lead}>
            GraphMind{server === undefined ? '' : ` ${server}`} listens on <code>{address}</code>. The {hasRuns ? 'next' : 'first'} run of
            an agent opens by itself.
          </p>

          <section aria-labelledby="first-run-connect">
            <h2 id="first-run-connect">1 · Send your agent’s traces here</h2>
            <Tabs.Root defaultValue="node">
              <Tabs.List className={styles.tabs} aria-label="Language">
                {RECIPES.map(({ id, title }) => (
                  <Tabs.Trigger key={id} value={id}>
                    {title}
                  </Tabs.Trigger>
                ))}
              </Tabs.List>
              {RECIPES.map(({ id, lines, note }) => (
                <Tabs.Content key={id} value={id} className={styles.recipe}>
                  <Snippet text={lines(address)} />
                  <p>{note}</p>
                </Tabs.Content>
              ))}
            </Tabs.Root>
          </section>

          <section aria-labelledby="first-run-heard">
            <h2 id="first-run-heard">2 · See that something arrives</h2>
            <IngestCounters />
          </section>

          <section aria-labelledby="first-run-demo">
            <h2 id="first-run-demo">3 · Or run the demo</h2>
            <p>
              A recorded trip planner with a planted bug. It needs no key and no network, and it stops at the failing tool:{' '}
              <kbd className="key-in-text">J</kbd> looks at the held call, <kbd className="key-in-text">I</kbd> gives it a value,{' '}
              <kbd className="key-in-text">S</kbd> goes on to the next call, and the Diff tab compares what changed.
            </p>
            <DemoButton />
            <p>The same as a real program, on the AI SDK:</p>
            <Snippet text={`GRAPHMIND_URL=${ingestAddress(address)} npm run example demo-agent`} />
          </section>

          <section aria-labelledby="first-run-import">
            <h2 id="first-run-import">4 · Or look at a trace you have</h2>
            <p>Drop a file with traces anywhere on this page: OTLP, or an export of another tool.</p>
            <p>
              <Button onClick={() => chooseFiles(workbench)}>Choose files…</Button>
            </p>
          </section>
        </div>
      </div>
    </div>
  )
}

const RECIPES: readonly { id: string; title: string; lines: (address: string) => string; note: string }[] = [
  {
    id: 'node',
    title: 'Node.js',
    lines: (address) => `GRAPHMIND_URL=${ingestAddress(address)} \\\n  node --import @graphmind-ai/otel/register app.js`,
    note: 'Nodes show up as they start, and calls can be held. Or add new GraphMindSpanProcessor() to your own OpenTelemetry set-up.',
  },
  {
    id: 'python',
    title: 'Python',
    lines: (address) =>
      `export OTEL_EXPORTER_OTLP_ENDPOINT=${address}\nexport OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf\nopentelemetry-instrument python app.py`,
    note: 'Works with any OpenTelemetry instrumentation. You can watch; holding calls needs a program with GraphMind’s processor.',
  },
  {
    id: 'any',
    title: 'Any OTLP exporter',
    lines: (address) => `OTEL_EXPORTER_OTLP_ENDPOINT=${address}`,
    note: 'OTLP over HTTP, protobuf or JSON, with or without gzip. Steps show up when they end.',
  },
]

/** Where agents open their control link. */
function ingestAddress(address: string): string {
  return `${address.replace(/^http/, 'ws')}/ingest`
}

function Snippet({ text }: { text: string }) {
  const [copied, setCopied] = useState<'no' | 'yes' | 'failed'>('no')
  const copy = () => {
    navigator.clipboard.writeText(text).then(
      () => setCopied('yes'),
      () => setCopied('failed'),
    )
  }
  return (
    <div className={styles.snippet}>
      <pre>{text}</pre>
      <Button onClick={copy}>
        {copied === 'yes' ? <Check size={13} aria-hidden="true" /> : <Copy size={13} aria-hidden="true" />}
        {copied === 'yes' ? 'Copied' : copied === 'failed' ? 'Select and copy by hand' : 'Copy'}
      </Button>
    </div>
  )
}
