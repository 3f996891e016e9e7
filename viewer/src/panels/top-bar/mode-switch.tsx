import { useFacts, useViewer } from '../../ui/viewer-context.tsx'
import styles from './top-bar.module.css'

const WORDS = {
  run: { label: 'Run', title: 'Stop only at breakpoints' },
  step: { label: 'Step', title: 'Stop every agent before each tool and model call' },
} as const

/** Run | Step, the same for every agent and viewer. */
export function ModeSwitch() {
  const { actions, workbench } = useViewer()
  const mode = useFacts((state) => state.mode)
  const ready = useFacts((state) => state.link.phase === 'live')
  return (
    <fieldset className={styles.mode} disabled={!ready}>
      <legend className="visually-hidden">Mode</legend>
      {(['run', 'step'] as const).map((choice) => (
        <label key={choice} title={WORDS[choice].title} data-chosen={mode === choice}>
          <input
            type="radio"
            name="mode"
            className="visually-hidden"
            checked={mode === choice}
            onChange={() => {
              workbench.setState({ stepping: false })
              actions.setMode(choice)
            }}
          />
          {WORDS[choice].label}
        </label>
      ))}
    </fieldset>
  )
}
