import { useCallback, useEffect, useRef, useState } from 'react'
import type { Answer } from '../../link/ask-api.ts'

/** One page of a list that is read page by page. */
export interface ListPage<Item> {
  readonly items: readonly Item[]
  readonly nextCursor: string | undefined
}

/**
 * A list that is read from its start whenever `ask` is another function, and goes on with `readMore`. What was read before stays until the
 * new list is there. Undefined `ask` reads nothing.
 */
export function usePages<Item, Page extends ListPage<Item>>(ask: ((cursor: string | undefined) => Promise<Answer<Page>>) | undefined) {
  const [items, setItems] = useState<readonly Item[]>()
  const [last, setLast] = useState<Page>()
  const [problem, setProblem] = useState<string>()
  const [isReading, setReading] = useState(false)
  // A late answer checks that it is still the one that is wanted.
  const wanted = useRef<object>(undefined)
  const read = useCallback(
    async (cursor: string | undefined) => {
      if (ask === undefined) return
      const request = {}
      wanted.current = request
      setReading(true)
      const answer = await ask(cursor)
      if (wanted.current !== request) return
      setReading(false)
      setProblem(answer.ok ? undefined : answer.problem)
      if (!answer.ok) return
      setItems((before) => (cursor === undefined ? answer.value.items : [...(before ?? []), ...answer.value.items]))
      setLast(answer.value)
    },
    [ask],
  )
  useEffect(() => {
    void read(undefined)
    return () => {
      wanted.current = undefined
    }
  }, [read])
  const nextCursor = last?.nextCursor
  const readMore = nextCursor === undefined ? undefined : () => void read(nextCursor)
  const readAgain = useCallback(() => void read(undefined), [read])
  return { items, last, problem, isReading, readMore, readAgain }
}
