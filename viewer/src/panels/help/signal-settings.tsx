import { useState } from 'react'
import { useViewer, useWorkbench } from '../../ui/viewer-context.tsx'
import { setSignals } from '../../ui/workbench.ts'
import { playTone } from '../signals/tone.ts'
import styles from './help-sheet.module.css'

/** What else may tell of a held call: both are off until asked for. */
export function SignalSettings() {
  const { workbench } = useViewer()
  const signals = useWorkbench((state) => state.signals)
  const [problem, setProblem] = useState<string>()
  const askForNotifications = async () => {
    if (!('Notification' in window)) {
      setProblem('This browser shows no notifications.')
      return
    }
    const answer = await Notification.requestPermission()
    if (answer === 'granted') setSignals(workbench, { notification: true })
    else setProblem('The browser does not let this page show notifications. Allow them in its settings for this address.')
  }
  return (
    <section>
      <h3>When a call is held</h3>
      <label className={styles.signal}>
        <input
          type="checkbox"
          checked={signals.sound}
          onChange={({ target }) => {
            if (target.checked) playTone()
            setSignals(workbench, { sound: target.checked })
          }}
        />
        Sound
      </label>
      <label className={styles.signal}>
        <input
          type="checkbox"
          checked={signals.notification}
          onChange={({ target }) => {
            setProblem(undefined)
            if (target.checked) void askForNotifications()
            else setSignals(workbench, { notification: false })
          }}
        />
        System notification, while this page is out of sight
      </label>
      {problem !== undefined && <p role="alert">{problem}</p>}
    </section>
  )
}
