import { useState } from 'react'
import { recall, remember } from '../remembered.ts'

/** Whether two texts stand beside each other, remembered under `key`; `otherwise` until someone chose. */
export function useSideBySide(key: string, otherwise: boolean): readonly [boolean, (sideBySide: boolean) => void] {
  const [sideBySide, setSideBySide] = useState(() => recall(key, (stored) => stored === 'beside', otherwise))
  const choose = (chosen: boolean) => {
    remember(key, chosen ? 'beside' : 'inline')
    setSideBySide(chosen)
  }
  return [sideBySide, choose]
}

/** The box that switches it. */
export function SideBySideBox({ sideBySide, choose }: { sideBySide: boolean; choose: (sideBySide: boolean) => void }) {
  return (
    <label>
      <input type="checkbox" checked={sideBySide} onChange={({ target }) => choose(target.checked)} />
      Side by side
    </label>
  )
}
