import { completeQuery, type QueryProblem } from '@graphmind-ai/schema'
import { ListFilter, X } from 'lucide-react'
import { type KeyboardEvent, type RefObject, useId, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { type FilterWords, filterWords, type Suggested, withSuggestion } from '../../model/filter-words.ts'
import { filterPieces } from '../../model/run-filter.ts'
import { IconButton } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import styles from './filter-line.module.css'

interface FilterLineProps {
  readonly text: string
  readonly onChange: (text: string) => void
  readonly problems: readonly QueryProblem[]
  /** What the runs at hand have as models, tags and so on. */
  readonly words: FilterWords
  /** Enter or Esc, while nothing is being completed. */
  readonly onDone: () => void
  readonly inputRef: RefObject<HTMLInputElement | null>
}

/** The filter in its language: each condition drawn as a chip, completed while it is written, and marked where it can't be read. */
export function FilterLine({ text, onChange, problems, words, onDone, inputRef }: FilterLineProps) {
  const [caret, setCaret] = useState<number>()
  const [at, setAt] = useState(-1)
  const id = useId()
  const chips = useRef<HTMLDivElement>(null)
  const suggested = useMemo(() => (caret === undefined ? [] : filterWords(completeQuery(text, caret), words)), [text, caret, words])
  const active = suggested[at]
  // With the text and not a frame later: a quick typist is already at the next letter.
  const caretToSet = useRef<number>(undefined)
  useLayoutEffect(() => {
    if (caretToSet.current !== undefined) inputRef.current?.setSelectionRange(caretToSet.current, caretToSet.current)
    caretToSet.current = undefined
  })
  const isOpen = suggested.length > 0
  const take = (choice: Suggested) => {
    const next = withSuggestion(text, choice)
    onChange(next.text)
    setAt(-1)
    setCaret(next.caret)
    caretToSet.current = next.caret
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' && isOpen) setAt(at >= suggested.length - 1 ? 0 : at + 1)
    else if (event.key === 'ArrowUp' && isOpen) setAt(at <= 0 ? suggested.length - 1 : at - 1)
    else if ((event.key === 'Enter' || (event.key === 'Tab' && !event.shiftKey)) && active !== undefined) take(active)
    else if (event.key === 'Enter' || event.key === 'ArrowDown') {
      setCaret(undefined)
      onDone()
    } else if (event.key === 'Escape') {
      setCaret(undefined)
      setAt(-1)
      if (!isOpen) onDone()
    } else return
    event.preventDefault()
  }
  const follow = () => {
    if (chips.current !== null && inputRef.current !== null) chips.current.scrollLeft = inputRef.current.scrollLeft
  }
  // What is being written is not wrong yet.
  const isWritten = (start: number, end: number) => isOpen && caret !== undefined && start <= caret && caret <= end
  const problem = problems.find(({ start, end }) => !isWritten(start, end))
  return (
    <div className={styles.place}>
      <div className={styles.line} data-wrong={problem !== undefined}>
        <ListFilter size={14} aria-hidden="true" />
        <div className={styles.field}>
          <div ref={chips} className={styles.chips} aria-hidden="true">
            {filterPieces(text).map((piece) =>
              piece.type === 'between' ? (
                <span key={piece.start}>{piece.text}</span>
              ) : (
                <span key={piece.start} className={piece.type === 'filter' ? styles.chip : undefined}>
                  {piece.parts.map((part) => (
                    <span
                      key={part.start}
                      className={styles[part.role === 'wrong' && isWritten(part.start, part.start + part.text.length) ? 'key' : part.role]}
                    >
                      {part.text}
                    </span>
                  ))}
                </span>
              ),
            )}
          </div>
          <input
            ref={inputRef}
            role="combobox"
            type="text"
            spellCheck={false}
            autoComplete="off"
            autoCapitalize="off"
            value={text}
            placeholder="Filter: state:paused  error:true  since:1h  cost:>0.1  or a name"
            aria-label="Filter the runs"
            aria-expanded={isOpen}
            aria-controls={`${id}-words`}
            aria-autocomplete="list"
            aria-activedescendant={active === undefined ? undefined : `${id}-${at}`}
            aria-invalid={problem !== undefined}
            aria-describedby={problem === undefined ? undefined : `${id}-problem`}
            onChange={({ target }) => {
              onChange(target.value)
              setCaret(target.selectionStart ?? target.value.length)
              setAt(-1)
            }}
            onSelect={({ currentTarget }) => {
              if (caret !== undefined) setCaret(currentTarget.selectionStart ?? undefined)
              follow()
            }}
            onScroll={follow}
            onPointerDown={({ currentTarget }) => setCaret(currentTarget.selectionStart ?? 0)}
            onBlur={() => setCaret(undefined)}
            onKeyDown={onKeyDown}
          />
        </div>
        {text !== '' && (
          <IconButton
            label="Clear the filter"
            onClick={() => {
              onChange('')
              inputRef.current?.focus()
            }}
          >
            <X size={14} aria-hidden="true" />
          </IconButton>
        )}
      </div>
      {problem !== undefined && (
        <p id={`${id}-problem`} role="status" className={styles.problem}>
          {problem.message}
        </p>
      )}
      <div id={`${id}-words`} role="listbox" aria-label="What can be written" className={cx(styles.words, !isOpen && styles.closed)}>
        {suggested.map((choice, index) => (
          <div
            key={choice.insert}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            className={styles.word}
            onPointerDown={(event) => {
              event.preventDefault()
              take(choice)
            }}
          >
            <code>{choice.insert}</code>
            <span>{choice.summary}</span>
          </div>
        ))}
      </div>
    </div>
  )
}
