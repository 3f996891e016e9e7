import { cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import type { ChatMessage } from '../../model/chat.ts'
import { fakeViewer, renderPanel } from '../../testing/fake-viewer.tsx'
import { runFromText } from '../../testing/run-from-text.ts'
import { ChatMessageView } from './chat-message.tsx'

afterEach(cleanup)

const draw = (message: ChatMessage) =>
  renderPanel(<ChatMessageView message={message} results={new Map()} />, fakeViewer(runFromText('llm draft 0-10')))
const textOf = (lines: number) => Array.from({ length: lines }, (_, at) => `rule ${at}`).join('\n')

it.each([
  [6, false],
  [7, true],
])('folds a system text after six lines: one of %d', (lines, folded) => {
  const { container } = draw({ role: 'system', parts: [{ type: 'text', text: textOf(lines) }] })
  expect(container.querySelector('[data-clamped=true]') !== null).toBe(folded)
  if (!folded) return expect(screen.queryByRole('button', { name: 'Show all' })).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'Show all' }))
  expect(container.querySelector('[data-clamped=true]')).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'Show less' }))
  expect(container.querySelector('[data-clamped=true]')).toBeTruthy()
})

it('folds no text of anybody else', () => {
  const { container } = draw({ role: 'user', parts: [{ type: 'text', text: textOf(40) }] })
  expect(container.querySelector('[data-clamped=true]')).toBeNull()
})

it('folds reasoning, and a tool’s arguments and result with a glimpse of them', () => {
  draw({
    role: 'assistant',
    parts: [
      { type: 'reasoning', text: 'I think' },
      { type: 'call', id: 'a', name: 'search', input: { query: 'Lisbon' } },
    ],
  })
  const message = within(screen.getByRole('article', { name: 'assistant message' }))
  expect(message.getByText('I think').closest('details')?.open).toBe(false)
  const call = message.getByText('search').closest('details')
  expect(call?.open).toBe(false)
  expect(call?.querySelector('summary')?.textContent).toBe('search{"query":"Lisbon"}')
})
