import type { InstancePicture } from '@graphmind-ai/schema'
import { InputValue, OutputValue } from './values.tsx'

/** A call at one glance: what went in, what came out. */
export function CallTab({ instance }: { instance: InstancePicture }) {
  return (
    <>
      <InputValue instance={instance} />
      <OutputValue instance={instance} />
    </>
  )
}
