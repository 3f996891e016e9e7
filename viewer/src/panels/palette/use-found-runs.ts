import type { RunInfo } from '@graphmind-ai/schema'
import { useEffect, useMemo, useState } from 'react'
import { askRunPage } from '../../link/runs-api.ts'
import { runsWithWords } from '../../model/palette.ts'
import { useFacts } from '../../ui/viewer-context.tsx'

/** What is typed in one go is asked for once. */
const TYPED_MS = 150
const MOST_FOUND = 40

/** Runs to find by name: those the link tells of, which are the latest, and of the others those that have these words. */
export function useFoundRuns(query: string): ReadonlyMap<string, RunInfo> {
  const latest = useFacts((state) => state.runs)
  const [found, setFound] = useState<readonly RunInfo[]>([])
  const asked = runsWithWords(query)
  useEffect(() => {
    if (asked === undefined) return
    let wanted = true
    const timer = setTimeout(async () => {
      const page = await askRunPage({ query: asked, sort: '-started', limit: MOST_FOUND })
      if (wanted && page.ok) setFound(page.value.runs)
    }, TYPED_MS)
    return () => {
      wanted = false
      clearTimeout(timer)
    }
  }, [asked])
  return useMemo(() => new Map([...(latest ?? []), ...found.map((run) => [run.id, latest?.get(run.id) ?? run] as const)]), [latest, found])
}
