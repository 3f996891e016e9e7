import { useEffect, useRef } from 'react'
import { newlyHeld } from '../../model/held-runs.ts'
import { useFacts, useViewer } from '../../ui/viewer-context.tsx'
import { playTone } from './tone.ts'

/** What tells of a held call beside the page itself: the tab's icon, and a sound or the system's notification for those who asked. */
export function usePauseSignals(): void {
  const { workbench } = useViewer()
  const runs = useFacts((state) => state.runs)
  const held = useFacts((state) => [...(state.runs?.values() ?? [])].some((run) => run.held > 0))
  const before = useRef(runs)
  useEffect(() => {
    document.querySelector('link[rel="icon"]')?.setAttribute('href', held ? '/favicon-held.svg' : '/favicon.svg')
  }, [held])
  useEffect(() => {
    const news = newlyHeld(before.current, runs)
    before.current = runs
    if (news.length === 0) return
    const { signals } = workbench.getState()
    if (signals.sound) playTone()
    // Who looks at the page sees it.
    if (!signals.notification || !document.hidden) return
    for (const run of news) notify(`⏸ ${run.name}`, run.id)
  }, [runs, workbench])
}

function notify(title: string, runId: string): void {
  if (!('Notification' in window) || Notification.permission !== 'granted') return
  const notification = new Notification(title, { body: 'A call is held and waits for you.', tag: runId })
  notification.addEventListener('click', () => {
    window.focus()
    notification.close()
  })
}
