import { Play } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { asObject, asText } from '../../link/guards.ts'
import { fetchApi } from '../../link/token.ts'
import { runAddress } from '../../model/address.ts'
import { Button } from '../../ui/button.tsx'

type Start = { readonly state: 'ready' | 'asked' | 'absent' } | { readonly state: 'failed'; readonly problem: string }

/** Plays the recorded demo inside the collector and opens its run. A collector that has none answers 404; then there is no button. */
export function DemoButton() {
  const [, navigate] = useLocation()
  const [start, setStart] = useState<Start>({ state: 'ready' })
  const isShown = useRef(true)
  useEffect(() => {
    isShown.current = true
    return () => {
      isShown.current = false
    }
  }, [])
  if (start.state === 'absent') return null
  const run = async () => {
    setStart({ state: 'asked' })
    try {
      const answer = await fetchApi('/api/demo/start', { method: 'POST' })
      if (answer.status === 404) return setStart({ state: 'absent' })
      const body = asObject(await answer.json())
      const runId = asText(body?.['runId'])
      // Its run may have opened by itself in the meantime, or the reader be elsewhere.
      if (!isShown.current) return
      if (answer.ok && runId !== undefined) return navigate(runAddress(runId))
      setStart({ state: 'failed', problem: asText(body?.['error']) ?? `The collector answered ${answer.status}. Its log says more.` })
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      setStart({ state: 'failed', problem: `The collector could not be asked: ${why}. Start it again and press the button once more.` })
    }
  }
  return (
    <p>
      <Button look="primary" disabled={start.state === 'asked'} onClick={() => void run()}>
        <Play size={13} aria-hidden="true" />
        {start.state === 'asked' ? 'Starting…' : 'Run the demo'}
      </Button>
      {start.state === 'failed' && <span role="alert"> {start.problem}</span>}
    </p>
  )
}
