import { Wrench } from 'lucide-react'
import { useMemo } from 'react'
import type { ChatMessage, ChatPart } from '../../model/chat.ts'
import { HIDDEN } from '../../model/format.ts'
import { valueWithoutBase64, withoutBase64 } from '../../model/media.ts'
import { glimpse, isHidden, jsonIn, prettyJson } from '../../model/values.ts'
import { Button } from '../../ui/button.tsx'
import { Fold } from '../../ui/fold.tsx'
import { useOpened } from '../../ui/opened.ts'
import { Prose } from '../../ui/prose.tsx'
import { ChatMedia } from './chat-media.tsx'
import styles from './inspector.module.css'

interface ChatMessageViewProps {
  readonly message: ChatMessage
  readonly results: ReadonlyMap<string, Extract<ChatPart, { type: 'result' }>>
  /** Not in the call before. */
  readonly isNew?: boolean
}

export function ChatMessageView({ message, results, isNew = false }: ChatMessageViewProps) {
  return (
    <article className={styles.chatMessage} data-role={message.role} aria-label={`${message.role} message`}>
      <p className={styles.role}>
        <span className={styles.roleName}>{message.role}</span>
        {isNew && <span className={styles.new}>new</span>}
      </p>
      {message.parts.length === 0 && <p className={styles.quiet}>An empty message.</p>}
      {message.parts.map((part, index) => (
        <Part key={`${part.type} ${String(index)}`} part={part} folded={message.role === 'system'} results={results} />
      ))}
    </article>
  )
}

function Part({ part, folded, results }: { part: ChatPart; folded: boolean; results: ChatMessageViewProps['results'] }) {
  switch (part.type) {
    case 'text':
      return isHidden(part.text) ? (
        <p className={styles.quiet}>{HIDDEN} hidden at its source</p>
      ) : (
        <ChatText text={part.text} folded={folded} />
      )
    case 'reasoning':
      return (
        <Fold part="reasoning" summary="Reasoning" className={styles.reasoning}>
          <p>{part.text}</p>
        </Fold>
      )
    case 'call': {
      const result = part.id === undefined ? undefined : results.get(part.id)
      return (
        <div className={styles.call}>
          <Foldable part={`call ${part.name}`} title={part.name} value={part.input} icon />
          {result !== undefined && (
            <Foldable
              part={`result ${part.name}`}
              title={result.failed ? 'failed' : 'result'}
              value={result.output}
              failed={result.failed}
            />
          )}
        </div>
      )
    }
    case 'result':
      return (
        <div className={styles.call}>
          <Foldable
            part={`result ${part.name ?? ''}`}
            title={`${part.name ?? 'result'}${part.failed ? ' failed' : ''}`}
            value={part.output}
            failed={part.failed}
          />
        </div>
      )
    case 'media':
      return <ChatMedia media={part} />
    case 'other':
      return <pre className={styles.frames}>{prettyJson(valueWithoutBase64(part.value))}</pre>
  }
}

/** Lines of a system text shown before it is unfolded. */
const SYSTEM_LINES = 6

function ChatText({ text: asSent, folded }: { text: string; folded: boolean }) {
  const [opened, setOpen] = useOpened('system text')
  const open = opened === true
  const text = useMemo(() => withoutBase64(asSent), [asSent])
  const lines = folded ? text.split('\n') : []
  const long = folded && (lines.length > SYSTEM_LINES || text.length > 600)
  return (
    <>
      <div className={styles.chatText} data-clamped={long && !open}>
        <Prose text={text} />
      </div>
      {long && (
        <button type="button" className={styles.link} onClick={() => setOpen(!open)}>
          {open ? 'Show less' : 'Show all'}
        </button>
      )}
    </>
  )
}

function Foldable({
  part,
  title,
  value: asSent,
  icon = false,
  failed = false,
}: {
  part: string
  title: string
  value: unknown
  icon?: boolean
  failed?: boolean
}) {
  const [isParsed, setParse] = useOpened(`${part} parsed`)
  const parse = isParsed === true
  const value = useMemo(() => valueWithoutBase64(asSent), [asSent])
  const held = typeof value === 'string' ? jsonIn(value) : undefined
  const short = value === undefined ? '' : glimpse(value)
  const whole = parse ? prettyJson(held) : typeof value === 'string' ? value : prettyJson(value)
  return (
    <Fold
      part={part}
      failed={failed}
      summary={
        <>
          {icon && <Wrench size={12} aria-hidden="true" />}
          <strong>{title}</strong>
          <span className={styles.glimpse}>{short}</span>
        </>
      }
    >
      {held !== undefined && (
        <p className={styles.parse}>
          <Button aria-pressed={parse} onClick={() => setParse(!parse)}>
            Parse
          </Button>
        </p>
      )}
      <pre className={styles.frames}>{whole}</pre>
    </Fold>
  )
}
