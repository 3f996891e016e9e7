import type { ReactNode } from 'react'
import ReactMarkdown, { type Components } from 'react-markdown'
import remarkGfm from 'remark-gfm'
import styles from './prose.module.css'

/** Markdown as it is meant. What an agent wrote is not trusted: no HTML, nothing is loaded, and no link leads anywhere. */
export default function Markdown({ text }: { text: string }) {
  return (
    <div className={styles.markdown}>
      <ReactMarkdown remarkPlugins={PLUGINS} components={PARTS} skipHtml={false}>
        {text}
      </ReactMarkdown>
    </div>
  )
}

const PLUGINS = [remarkGfm]

const heading =
  (level: number) =>
  ({ children }: { children?: ReactNode }) => (
    <p className={styles.heading} data-level={level}>
      {children}
    </p>
  )

const PARTS: Components = {
  // The outline of the page is ours: a heading of the text is only bold.
  h1: heading(1),
  h2: heading(2),
  h3: heading(3),
  h4: heading(4),
  h5: heading(5),
  h6: heading(6),
  a: ({ children, href }) => <Address words={children} address={href} />,
  img: ({ alt, src }) => <Address words={alt === '' || alt === undefined ? 'image' : `image: ${alt}`} address={String(src ?? '')} />,
  input: ({ checked }) => (checked === true ? '☑ ' : '☐ '),
  table: ({ children }) => (
    <div className={styles.table}>
      <table>{children}</table>
    </div>
  ),
}

/** The words of a link and where it says it leads, to be read and copied. */
function Address({ words, address }: { words: ReactNode; address: string | undefined }) {
  return (
    <>
      <span className={styles.link}>{words}</span>
      {address !== undefined && address !== '' && address !== words && <span className={styles.address}> ({address})</span>}
    </>
  )
}
