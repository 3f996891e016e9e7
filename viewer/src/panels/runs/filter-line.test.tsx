import { parseQuery } from '@graphmind-ai/schema'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useRef, useState } from 'react'
import { afterEach, expect, it, vi } from 'vitest'
import { FilterLine } from './filter-line.tsx'

afterEach(cleanup)

function Line({ onDone = () => undefined }: { onDone?: () => void }) {
  const [text, setText] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const words = { model: ['gpt-4o-mini', 'claude-sonnet-4-5'] }
  return <FilterLine text={text} onChange={setText} problems={parseQuery(text).problems} words={words} onDone={onDone} inputRef={field} />
}

const field = () => screen.getByRole<HTMLInputElement>('combobox', { name: 'Filter the runs' })
const type = (text: string) => fireEvent.change(field(), { target: { value: text } })
const press = (key: string) => fireEvent.keyDown(field(), { key })
const offered = () => screen.queryAllByRole('option').map((option) => option.textContent)

it('completes keys and then what the runs have, by keyboard alone', () => {
  render(<Line />)
  type('mod')
  expect(offered()).toEqual(['model:name of a model it called'])
  press('ArrowDown')
  press('Enter')
  expect(field().value).toBe('model:')
  expect(offered()).toHaveLength(2)
  type('model:cl')
  press('ArrowDown')
  press('Tab')
  expect(field().value).toBe('model:claude-sonnet-4-5 ')
})

it('goes to the rows at Enter or Escape when nothing is chosen, and first closes what it offers at Escape', () => {
  const onDone = vi.fn()
  render(<Line onDone={onDone} />)
  type('st')
  press('Escape')
  expect(offered()).toEqual([])
  expect(onDone).not.toHaveBeenCalled()
  press('Enter')
  expect(onDone).toHaveBeenCalledOnce()
  press('Escape')
  expect(onDone).toHaveBeenCalledTimes(2)
})

it('says what is wrong once it is no longer being written', () => {
  render(<Line />)
  type('stat')
  expect(screen.queryByRole('status')).toBeNull()
  type('cost:>much name:x ')
  press('Escape')
  expect(screen.getByRole('status').textContent).toContain('cost: takes a number')
  expect(field().getAttribute('aria-invalid')).toBe('true')
  fireEvent.click(screen.getByRole('button', { name: 'Clear the filter' }))
  expect(field().value).toBe('')
  expect(screen.queryByRole('status')).toBeNull()
})
