import { useEffect, useState } from 'react'
import { askApi, readAnswer } from '../link/ask-api.ts'

/**
 * What an address of this server answers, asked anew every `everyMs` while the tab is looked at. While it can't be asked, what was last known
 * stays: the link banner tells that the collector is gone. `read` must stay the same function.
 */
export function usePolled<Value>(path: string, everyMs: number, read: (answer: unknown) => Value | undefined): Value | undefined {
  const [known, setKnown] = useState<Value>()
  useEffect(() => {
    let wanted = true
    const ask = async () => {
      if (document.hidden) return
      const answer = readAnswer(await askApi(path), read)
      if (wanted && answer.ok) setKnown(answer.value)
    }
    void ask()
    const timer = setInterval(() => void ask(), everyMs)
    return () => {
      wanted = false
      clearInterval(timer)
    }
  }, [path, everyMs, read])
  return known
}
