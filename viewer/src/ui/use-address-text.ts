import { useEffect, useRef, useState } from 'react'

const TYPING_MS = 180

/** A text that is typed here and kept in the address: it goes there once the typing pauses, and comes from there when the address changes. */
export function useAddressText(inAddress: string, keep: (text: string) => void): readonly [string, (text: string) => void] {
  const [text, setText] = useState(inAddress)
  const kept = useRef(inAddress)
  const latest = useRef(keep)
  latest.current = keep
  useEffect(() => {
    if (inAddress !== kept.current) setText(inAddress)
    kept.current = inAddress
  }, [inAddress])
  useEffect(() => {
    if (text === kept.current) return
    const timer = setTimeout(() => {
      kept.current = text
      latest.current(text)
    }, TYPING_MS)
    return () => clearTimeout(timer)
  }, [text])
  return [text, setText]
}
