import { Plus, X } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import { NEWEST_FIRST } from '../../model/runs-address.ts'
import { COMMON_FILTERS, readSavedFilters, type SavedFilter, withSavedFilter } from '../../model/saved-filters.ts'
import { Button } from '../../ui/button.tsx'
import { recall, remember } from '../../ui/remembered.ts'
import styles from './runs.module.css'

interface SavedFiltersProps {
  readonly filter: string
  readonly sort: string
  /** Whether the filter can be understood, and so is worth keeping. */
  readonly isSound: boolean
  readonly show: (filter: string, sort: string) => void
}

/** Filters at one press: those that are asked for most, and the reader's own. */
export function SavedFilters({ filter, sort, isSound, show }: SavedFiltersProps) {
  const [saved, setSaved] = useState(() => recall<readonly SavedFilter[]>('run-filters', readSavedFilters, []))
  const [isNaming, setNaming] = useState(false)
  const keep = (next: readonly SavedFilter[]) => {
    remember('run-filters', JSON.stringify(next))
    setSaved(next)
  }
  const isKnown = [...COMMON_FILTERS, ...saved].some((each) => each.filter === filter)
  const name = (event: KeyboardEvent<HTMLInputElement>) => {
    const text = event.currentTarget.value.trim()
    if (event.key === 'Enter' && text !== '') keep(withSavedFilter(saved, { name: text, filter, sort }))
    else if (event.key !== 'Escape') return
    event.preventDefault()
    event.stopPropagation()
    setNaming(false)
  }
  const toggle = (wanted: string, order: string) => (filter === wanted ? show('', sort) : show(wanted, order))
  return (
    <ul className={styles.saved} aria-label="Filters">
      {COMMON_FILTERS.map((common) => (
        <li key={common.filter}>
          <button type="button" title={common.filter} aria-pressed={filter === common.filter} onClick={() => toggle(common.filter, sort)}>
            {common.name}
          </button>
        </li>
      ))}
      {saved.map((own) => (
        <li key={own.name}>
          <button type="button" title={own.filter} aria-pressed={filter === own.filter} onClick={() => toggle(own.filter, own.sort)}>
            {own.name}
          </button>
          <button
            type="button"
            className={styles.forget}
            aria-label={`Forget the filter ${own.name}`}
            onClick={() => keep(saved.filter((each) => each !== own))}
          >
            <X size={11} aria-hidden="true" />
          </button>
        </li>
      ))}
      {filter !== '' && isSound && !isKnown && (
        <li>
          {isNaming ? (
            <input
              // The field is what the press on Save asked for.
              ref={(field) => field?.focus()}
              aria-label="Name of the filter"
              placeholder="Name, then Enter"
              maxLength={40}
              onKeyDown={name}
              onBlur={() => setNaming(false)}
            />
          ) : (
            <Button look="quiet" onClick={() => setNaming(true)}>
              <Plus size={13} aria-hidden="true" />
              Save filter
            </Button>
          )}
        </li>
      )}
      {sort !== NEWEST_FIRST && (
        <li>
          <Button look="quiet" onClick={() => show(filter, NEWEST_FIRST)}>
            Newest first again
          </Button>
        </li>
      )}
    </ul>
  )
}
