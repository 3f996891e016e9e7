import { type ReactNode, useEffect } from 'react'
import { PRICE_SOURCE } from '../../model/estimate.ts'
import { Button } from '../../ui/button.tsx'
import { Choice } from '../../ui/choice.tsx'
import { DENSITIES } from '../../ui/density.ts'
import { PanelBoundary } from '../../ui/panel-boundary.tsx'
import { useKeyOf } from '../../ui/use-key-of.ts'
import { useViewer, useWorkbench } from '../../ui/viewer-context.tsx'
import { setDensity, setEstimates, setKeys, setMotion, setStepNews, setTheme, type Theme } from '../../ui/workbench.ts'
import { SignalSettings } from '../help/signal-settings.tsx'
import { AboutCollector } from './about-collector.tsx'
import styles from './settings.module.css'

const THEMES: readonly { readonly value: Theme; readonly label: string }[] = [
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
]
const ON_OFF = [
  { value: 'on', label: 'On' },
  { value: 'off', label: 'Off' },
] as const
const DENSITY_WORDS = { comfortable: 'Comfortable', compact: 'Compact' } as const

/** What this browser remembers of the reader's taste, and what the collector is. */
export default function SettingsPage() {
  const keyOf = useKeyOf()
  const { actions, workbench } = useViewer()
  const theme = useWorkbench((state) => state.theme)
  const density = useWorkbench((state) => state.density)
  const motion = useWorkbench((state) => state.motion)
  const keys = useWorkbench((state) => state.keys)
  const estimates = useWorkbench((state) => state.estimates)
  const stepNews = useWorkbench((state) => state.stepNews)
  useEffect(() => actions.openRun(undefined), [actions])
  return (
    <main id="main" className={styles.page} aria-label="Settings">
      <PanelBoundary name="settings">
        <div className={styles.column}>
          <h1>Settings</h1>
          <p className={styles.lead}>They are kept in this browser alone and hold for every run.</p>
          <section aria-labelledby="settings-look">
            <h2 id="settings-look">Look</h2>
            <Line title="Theme">
              <Choice legend="Theme" options={THEMES} chosen={theme} choose={(chosen) => setTheme(workbench, chosen)} />
            </Line>
            <Line title="Density" detail="Compact shows more lines at once.">
              <Choice
                legend="Density"
                options={DENSITIES.map((value) => ({ value, label: DENSITY_WORDS[value] }))}
                chosen={density}
                choose={(chosen) => setDensity(workbench, chosen)}
              />
            </Line>
            <Line title="Motion" detail="Without it, nothing glides or pulses, whatever the system says.">
              <Choice
                legend="Motion"
                options={[
                  { value: 'system', label: 'As the system says' },
                  { value: 'reduced', label: 'None' },
                ]}
                chosen={motion}
                choose={(chosen) => setMotion(workbench, chosen)}
              />
            </Line>
          </section>
          <section aria-labelledby="settings-cost">
            <h2 id="settings-cost">Cost</h2>
            <Line
              title="Estimate costs"
              detail={`Where a call reports none, with the prices of ${PRICE_SOURCE}, which come with this page. Never added to what was reported.`}
            >
              <Choice
                legend="Estimate costs"
                options={ON_OFF}
                chosen={estimates ? 'on' : 'off'}
                choose={(chosen) => setEstimates(workbench, chosen === 'on')}
              />
            </Line>
          </section>
          <section aria-labelledby="settings-keys">
            <h2 id="settings-keys">Keys</h2>
            <Line title="Letters and signs are keys" detail="Off, only keys with Ctrl, ⌘ or Alt and function keys do something.">
              <Choice
                legend="Letters and signs are keys"
                options={ON_OFF}
                chosen={keys.letters ? 'on' : 'off'}
                choose={(chosen) => setKeys(workbench, { ...keys, letters: chosen === 'on' })}
              />
            </Line>
            <Line title="All keys" detail="See them, and give a command another one.">
              <Button keyHint={keyOf('view.help')} onClick={() => workbench.setState({ help: true })}>
                Show all keys
              </Button>
            </Line>
          </section>
          <section aria-labelledby="settings-reader">
            <h2 id="settings-reader">Screen reader</h2>
            <Line title="Tell of new steps" detail="How many began, at most once a second. Held calls are always told.">
              <Choice
                legend="Tell of new steps"
                options={ON_OFF}
                chosen={stepNews ? 'on' : 'off'}
                choose={(chosen) => setStepNews(workbench, chosen === 'on')}
              />
            </Line>
          </section>
          <div className={styles.signals}>
            <SignalSettings />
          </div>
          <AboutCollector />
        </div>
      </PanelBoundary>
    </main>
  )
}

function Line({ title, detail, children }: { title: string; detail?: string; children: ReactNode }) {
  return (
    <div className={styles.line}>
      <p>
        <strong>{title}</strong>
        {detail !== undefined && <span>{detail}</span>}
      </p>
      {children}
    </div>
  )
}
