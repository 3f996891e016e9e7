import { useCallback, useEffect, useRef } from 'react'
import { Link } from 'wouter'
import { askSearch, type SearchHit, type SearchPage } from '../../link/search-api.ts'
import { type InspectorTab, runAddress } from '../../model/address.ts'
import { ago, count, dateTime, exactly } from '../../model/format.ts'
import { LONGEST_SEARCH } from '../../model/runs-address.ts'
import type { SearchField } from '../../model/search-fields.ts'
import { snippetParts } from '../../model/snippet-parts.ts'
import { Button } from '../../ui/button.tsx'
import { Choice } from '../../ui/choice.tsx'
import { KindIcon } from '../../ui/kind-icon.tsx'
import { useAddressText } from '../../ui/use-address-text.ts'
import { useNow } from '../../ui/use-now.ts'
import styles from './search-calls.module.css'
import { usePages } from './use-pages.ts'
import { useRunsAddress } from './use-runs-address.ts'
import { openFocused, useRunsScreen, walkLinks } from './use-runs-screen.ts'

/** While texts wait for the index, the newest of them may be what is looked for. */
const ASK_AGAIN_MS = 2000

const PLACES: readonly { readonly value: SearchField | 'all'; readonly label: string }[] = [
  { value: 'all', label: 'Everywhere' },
  { value: 'input', label: 'Inputs' },
  { value: 'output', label: 'Outputs' },
  { value: 'error', label: 'Errors' },
  { value: 'name', label: 'Names' },
]

/** Finds words in what went through the calls of all runs, and leads to the call. */
export function SearchCalls() {
  const { find, fields, go } = useRunsAddress()
  const [text, setText] = useAddressText(find, (written) => go({ find: written }))
  const words = find.trim()
  const [place] = fields
  const ask = useCallback(
    (cursor: string | undefined) => askSearch({ words, fields: place === undefined ? [] : [place], cursor }),
    [words, place],
  )
  const { items, last, problem, isReading, readMore, readAgain } = usePages<SearchHit, SearchPage>(words === '' ? undefined : ask)
  const waiting = last?.index.waiting ?? 0
  const isFirstPage = items !== undefined && last !== undefined && items.length === last.items.length
  useEffect(() => {
    if (waiting === 0 || isReading || problem !== undefined || !isFirstPage || words === '') return
    const timer = setTimeout(readAgain, ASK_AGAIN_MS)
    return () => clearTimeout(timer)
  }, [waiting, isReading, problem, isFirstPage, words, readAgain])
  const field = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLOListElement>(null)
  useRunsScreen({ field, move: (step) => walkLinks(list.current, step), open: openFocused, runs: undefined })
  useEffect(() => field.current?.focus(), [])
  const now = useNow(1000)
  const hits = words === '' ? undefined : items
  return (
    <div className={styles.search}>
      <div className={styles.tools}>
        <input
          ref={field}
          type="search"
          aria-label="Search in what went through the calls"
          placeholder="Words in names, inputs, outputs and errors; “in quotes” as they stand"
          maxLength={LONGEST_SEARCH}
          value={text}
          onChange={({ target }) => setText(target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'ArrowDown' && event.key !== 'Enter') return
            event.preventDefault()
            walkLinks(list.current, 'first')
          }}
        />
        <Choice
          legend="Where"
          small
          options={PLACES}
          chosen={place ?? 'all'}
          choose={(next) => go({ fields: next === 'all' ? [] : [next] })}
        />
      </div>
      <p role="status" className={styles.state}>
        {hits !== undefined &&
          problem === undefined &&
          (isReading && hits.length === 0 ? 'Searching…' : hitWords(hits.length, readMore !== undefined))}
        {words !== '' && waiting > 0 && (
          <span title={`${exactly(waiting)} of ${exactly(last?.index.events)} stored events`}>
            {' '}
            · {count(waiting)} of {count(last?.index.events)} events are not searched yet; this goes on by itself.
          </span>
        )}
      </p>
      {problem !== undefined && words !== '' ? (
        <div className={styles.empty} role="alert">
          <p>{problem}</p>
          <Button onClick={readAgain}>Search again</Button>
        </div>
      ) : words === '' ? (
        <div className={styles.empty}>
          <p>Type a word that an agent, a model or a tool said: a city, an order number, an error text.</p>
          <p>All words have to be in the same field of a call. A word may go on: find also finds find_flights.</p>
        </div>
      ) : hits !== undefined && hits.length === 0 && !isReading ? (
        <div className={styles.empty}>
          <p>
            Nothing that is kept holds <strong>{words}</strong>
            {place === undefined ? '.' : ' there.'}
          </p>
          {place !== undefined && <Button onClick={() => go({ fields: [] })}>Search everywhere</Button>}
        </div>
      ) : (
        <div className={styles.scroller}>
          <ol ref={list} aria-label="Hits" className={styles.hits}>
            {hits?.map((hit) => (
              <li key={`${hit.runId} ${hit.instanceId} ${hit.field}`}>
                <Hit hit={hit} nowMs={now} />
              </li>
            ))}
          </ol>
          {readMore !== undefined && (
            <Button onClick={readMore} disabled={isReading}>
              More hits
            </Button>
          )}
        </div>
      )}
    </div>
  )
}

function hitWords(hits: number, more: boolean): string {
  return `${count(hits)}${more ? ' or more' : ''} ${hits === 1 && !more ? 'hit' : 'hits'}`
}

const TAB: Record<SearchField, InspectorTab | undefined> = { name: undefined, input: 'input', output: 'output', error: undefined }

function Hit({ hit, nowMs }: { hit: SearchHit; nowMs: number }) {
  return (
    <Link
      href={runAddress(hit.runId, { instanceId: hit.instanceId, tab: TAB[hit.field] })}
      data-row={hit.instanceId}
      className={styles.hit}
      title={`${hit.runName} · ${hit.runId}\nStarted ${dateTime(hit.runStartedAt)}`}
    >
      <span className={styles.where}>
        <KindIcon kind={hit.kind ?? 'custom'} />
        <strong>{hit.name}</strong>
        <span>
          {hit.field}
          {hit.path === '' ? '' : ` · ${hit.path}`}
        </span>
        <span className={styles.run}>
          {hit.runName} · {ago(hit.runStartedAt, nowMs)}
        </span>
      </span>
      <span className={styles.snippet}>
        {hit.snippet.cutBefore && '… '}
        {snippetParts(hit.snippet).map((part) =>
          part.found ? <mark key={part.start}>{part.text}</mark> : <span key={part.start}>{part.text}</span>,
        )}
        {hit.snippet.cutAfter && ' …'}
      </span>
    </Link>
  )
}
