import type { PausePicture } from '@graphmind-ai/schema'
import { useMemo } from 'react'
import { repeatCaution } from '../model/tool-definition.ts'
import { useFacts } from './viewer-context.tsx'

/** What to know before this held call is run again, from what the run on the screen tells of its tool; undefined for nothing, or no hold. */
export function useRepeatCaution(pause: PausePicture | undefined): string | undefined {
  const picture = useFacts(({ run }) => run?.picture)
  return useMemo(() => (pause === undefined || picture === undefined ? undefined : repeatCaution(pause, picture)), [pause, picture])
}
