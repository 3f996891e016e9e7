import { useEffect, useRef, useState } from 'react'
import { plural } from '../../model/format.ts'
import { heldNow, pauseTitle } from '../../model/pauses.ts'
import { useFacts, useWorkbench } from '../../ui/viewer-context.tsx'

/** How often new steps are told, ms: one by one nobody could follow. */
const TELL_EVERY_MS = 1000

/** Tells screen readers about new waiters at once, and about new steps and small successes when there is time. */
export function Announcer() {
  const run = useFacts((state) => state.run)
  const polite = useWorkbench((state) => state.announcement)
  const told = useRef(new Set<string>())
  const [assertive, setAssertive] = useState('')
  useEffect(() => {
    const waiting = heldNow(run)
    const news = waiting.filter((pause) => !told.current.has(pause.pauseId))
    for (const pause of news) told.current.add(pause.pauseId)
    const first = news[0]
    if (first !== undefined) setAssertive(`${pauseTitle(first)}. ${waiting.length} waiting. Press J to go there.`)
    else if (waiting.length === 0) setAssertive('')
  }, [run])
  return (
    <>
      <div className="visually-hidden" aria-live="assertive">
        {assertive}
      </div>
      <div className="visually-hidden" aria-live="polite">
        {polite}
      </div>
      <NewSteps />
    </>
  )
}

function NewSteps() {
  const isOn = useWorkbench((state) => state.stepNews)
  const runId = useFacts((state) => state.run?.runId)
  const fresh = useFacts((state) => (state.run?.asOf === undefined ? state.run?.fresh : undefined))
  const begun = useRef(0)
  const [news, setNews] = useState({ batch: 0, steps: 0 })
  // Another run is another story. Before what follows, which may have steps of it already.
  useEffect(() => {
    begun.current = 0
    setNews({ batch: 0, steps: 0 })
    if (runId === undefined || !isOn) return
    const timer = setInterval(() => {
      const steps = begun.current
      begun.current = 0
      setNews((last) => (steps === 0 && last.steps === 0 ? last : { batch: last.batch + 1, steps }))
    }, TELL_EVERY_MS)
    return () => clearInterval(timer)
  }, [runId, isOn])
  useEffect(() => {
    begun.current += fresh?.length ?? 0
  }, [fresh])
  return (
    <div className="visually-hidden" aria-live="polite">
      {/* An element of its own each time, for the same words would not be said twice. */}
      {news.steps > 0 && <span key={news.batch}>{plural(news.steps, 'new step')}</span>}
    </div>
  )
}
