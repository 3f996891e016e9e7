import { useCallback, useEffect, useRef, useState } from 'react'
import { askApi, readAnswer } from '../link/ask-api.ts'

/** What an address of this server answers, as far as it is known. */
export type Fetched<Value> =
  | { readonly state: 'loading' }
  | { readonly state: 'ready'; readonly value: Value }
  | { readonly state: 'failed'; readonly problem: string }

/** Asks once for each path, and `again` when told to. `read` gives undefined for an answer that can't be understood; it must stay the same function. */
export function useFetched<Value>(
  path: string,
  read: (answer: unknown) => Value | undefined,
): { readonly fetched: Fetched<Value>; readonly again: () => void } {
  const [known, setKnown] = useState<{ readonly path: string; readonly fetched: Fetched<Value> }>()
  const latest = useRef(0)
  const ask = useCallback(() => {
    latest.current += 1
    const mine = latest.current
    void askApi(path).then((given) => {
      const answer = readAnswer(given, read)
      if (latest.current !== mine) return
      setKnown({ path, fetched: answer.ok ? { state: 'ready', value: answer.value } : { state: 'failed', problem: answer.problem } })
    })
  }, [path, read])
  useEffect(() => {
    ask()
    return () => {
      latest.current += 1
    }
  }, [ask])
  return { fetched: known?.path === path ? known.fetched : { state: 'loading' }, again: ask }
}
