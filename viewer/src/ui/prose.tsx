import { lazy, Suspense } from 'react'
import { Choice } from './choice.tsx'
import styles from './prose.module.css'
import { useViewer, useWorkbench } from './viewer-context.tsx'
import { setProse } from './workbench.ts'

const Markdown = lazy(() => import('./markdown.tsx'))

/** Longer texts stay plain: laying them out takes a second per 300,000 characters. */
const LONGEST_MARKDOWN = 100_000

/** A text as the reader wants texts: as it is, with its line breaks, or read as Markdown. */
export function Prose({ text }: { text: string }) {
  const prose = useWorkbench((state) => state.prose)
  if (prose === 'text' || text.length > LONGEST_MARKDOWN) return <div className={styles.plain}>{text}</div>
  return (
    <Suspense fallback={<div className={styles.plain}>{text}</div>}>
      <Markdown text={text} />
    </Suspense>
  )
}

/** Text | Markdown, remembered for all texts. */
export function ProseSwitch() {
  const { workbench } = useViewer()
  const prose = useWorkbench((state) => state.prose)
  return <Choice legend="Texts as" options={OPTIONS} chosen={prose} choose={(chosen) => setProse(workbench, chosen)} small />
}

const OPTIONS = [
  { value: 'text', label: 'Text', title: 'As it was written, with its line breaks' },
  { value: 'markdown', label: 'Markdown', title: 'Lists, tables and headings; links lead nowhere' },
] as const
