import type { InstancePicture } from '@graphmind-ai/schema'
import { type RefObject, useMemo } from 'react'
import { readChat, resultsById, withoutToldResults } from '../../model/chat.ts'
import { earlierMessages } from '../../model/earlier-messages.ts'
import { plural } from '../../model/format.ts'
import { nodeOf } from '../../model/rows.ts'
import { isHidden } from '../../model/values.ts'
import { Fold } from '../../ui/fold.tsx'
import { ProseSwitch } from '../../ui/prose.tsx'
import { useStickToEnd } from '../../ui/use-stick-to-end.ts'
import { useFacts } from '../../ui/viewer-context.tsx'
import { ChatMessageView } from './chat-message.tsx'
import styles from './inspector.module.css'
import { InputValue, OutputValue } from './values.tsx'

interface MessagesTabProps {
  readonly instance: InstancePicture
  readonly scroller: RefObject<HTMLDivElement | null>
}

/** A model call as a conversation: what it was given, then what it said, live while it streams. */
export function MessagesTab({ instance, scroller }: MessagesTabProps) {
  const picture = useFacts((state) => state.run?.picture)
  const messages = useMemo(() => readChat(instance.input, 'user'), [instance.input])
  const previous = useMemo(() => {
    const ids = picture === undefined ? [] : (nodeOf(picture, instance.nodeId)?.instanceIds ?? [])
    const before = picture?.instances.get(ids[ids.indexOf(instance.id) - 1] ?? '')
    return before === undefined ? undefined : readChat(before.input, 'user')
  }, [picture, instance.nodeId, instance.id])
  const answer = useMemo(() => readChat(instance.output, 'assistant'), [instance.output])
  useStickToEnd(scroller, instance.stream?.chunks)

  const seen = messages === undefined ? 0 : earlierMessages(previous, messages)
  const results = resultsById([...(messages ?? []), ...(answer ?? [])])
  const earlier = withoutToldResults((messages ?? []).slice(0, seen))
  const news = withoutToldResults((messages ?? []).slice(seen))
  return (
    <div className={styles.chat}>
      <div className={styles.chatTools}>
        <ProseSwitch />
      </div>
      {messages === undefined || isHidden(instance.input) ? (
        <InputValue instance={instance} />
      ) : (
        <>
          {seen > 0 && (
            <Fold part="earlier messages" summary={`${plural(seen, 'earlier message')}, as in the call before`} className={styles.earlier}>
              <div className={styles.chat}>
                {earlier.map((message, index) => (
                  <ChatMessageView key={keyOfMessage(message.role, index)} message={message} results={results} />
                ))}
              </div>
            </Fold>
          )}
          {news.map((message, index) => (
            <ChatMessageView key={keyOfMessage(message.role, index)} message={message} results={results} isNew={seen > 0} />
          ))}
        </>
      )}
      <p className={styles.answer}>Answer</p>
      {answer === undefined || isHidden(instance.output) || instance.injected !== undefined || instance.errors.length > 0 ? (
        <OutputValue instance={instance} />
      ) : (
        answer.map((message, index) => <ChatMessageView key={keyOfMessage(message.role, index)} message={message} results={results} />)
      )}
    </div>
  )
}

/** Messages are only ever appended, so their place is their identity. */
function keyOfMessage(role: string, index: number): string {
  return `${role} ${String(index)}`
}
