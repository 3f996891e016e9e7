import { useWaiting } from './use-waiting.ts'

/** For those who walk the page by Tab: the pause bar comes last in it, and is what matters most. */
export function SkipToHeld() {
  return useWaiting().length === 0 ? null : (
    <a className="skip-link" href="#held">
      Skip to the held call
    </a>
  )
}
