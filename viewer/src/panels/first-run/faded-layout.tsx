import styles from './first-run.module.css'

/** Widths of the lines and bars, in percent of their place. */
const OUTLINE = [62, 48, 55, 40, 58, 36, 50, 44]
const BARS = [
  [0, 92],
  [4, 20],
  [26, 14],
  [41, 30],
  [73, 17],
] as const
const MESSAGES = [80, 64, 90, 52, 76, 70, 38]

/** What the page looks like once something runs, faint and behind the card: nothing to read, nothing to press. */
export function FadedLayout() {
  return (
    <div className={styles.behind} aria-hidden="true">
      <div>
        {OUTLINE.map((width) => (
          <span key={width} style={{ width: `${width}%` }} />
        ))}
      </div>
      <div>
        {BARS.map(([left, width]) => (
          <span key={left} data-bar style={{ marginLeft: `${left}%`, width: `${width}%` }} />
        ))}
      </div>
      <div>
        {MESSAGES.map((width) => (
          <span key={width} style={{ width: `${width}%` }} />
        ))}
      </div>
    </div>
  )
}
