import type { InstancePicture } from '@graphmind-ai/schema'
import { useMemo } from 'react'
import { ValueView } from '../../ui/value-view.tsx'
import { useFacts } from '../../ui/viewer-context.tsx'

/** All that is known of the instance, as it is, with fields this version has no place for. */
export function RawTab({ instance }: { instance: InstancePicture }) {
  const picture = useFacts((state) => state.run?.picture)
  const raw = useMemo(() => {
    const { extra, ...known } = instance
    const pauses = instance.pauseIds.map((id) => picture?.pauses.get(id)).filter((pause) => pause !== undefined)
    return { ...known, ...(pauses.length > 0 ? { pauses } : {}), attributes: extra }
  }, [instance, picture])
  return <ValueView label="Everything known" value={raw} missing="nothing" />
}
