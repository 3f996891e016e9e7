import { FileClock } from 'lucide-react'
import { dateTime } from '../model/format.ts'
import styles from '../panels/link-banner/link-banner.module.css'

/** Says what this page is, and what is dead in it. */
export function RecordedBanner({ writtenAt }: { writtenAt: number }) {
  return (
    <div className={styles.banner} role="note" data-kind="recorded">
      <FileClock size={15} aria-hidden="true" />
      <p>
        <strong>A recorded run, written {dateTime(writtenAt)}.</strong> This page is a file: nothing is connected, nothing new arrives, no
        call can be held or released, and other runs are not in it. A call that was held then is shown as held.
      </p>
    </div>
  )
}
