import type { InstancePicture } from '@graphmind-ai/schema'
import { useEffect, useRef } from 'react'
import { readSentSpan, type SentSpan } from '../link/read-sent-span.ts'
import { type Fetched, useFetched } from './use-fetched.ts'

/** The span of a call, asked for when a component first wants it and again once the call has another: one that ended is not the one that began. */
export function useSentSpan(runId: string, { id, status, endNanos }: InstancePicture): Fetched<SentSpan> {
  const { fetched, again } = useFetched(`/api/runs/${encodeURIComponent(runId)}/instances/${encodeURIComponent(id)}`, readSentSpan)
  const version = `${status} ${endNanos ?? ''}`
  const told = useRef(version)
  useEffect(() => {
    if (told.current === version) return
    told.current = version
    again()
  }, [version, again])
  return fetched
}
