import { cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { fakeViewer, renderPanel } from '../testing/fake-viewer.tsx'
import { runFromText } from '../testing/run-from-text.ts'
import { Prose, ProseSwitch } from './prose.tsx'
import { ValueView } from './value-view.tsx'

afterEach(cleanup)
beforeEach(() => window.localStorage.clear())
const viewer = () => fakeViewer(runFromText('tool search 0-10'))
const TEXT =
  '## Title\n\n| a |\n| - |\n| 1 |\n\n[here](https://example.org/x) <img src="https://example.org/p.png"> ![pic](https://example.org/q.png)'

function Both() {
  return (
    <>
      <ProseSwitch />
      <Prose text={TEXT} />
    </>
  )
}

it('shows a text as it was written until Markdown is asked for, and remembers that', async () => {
  renderPanel(<Both />, viewer())
  expect(document.body.textContent).toContain('## Title')
  fireEvent.click(screen.getByRole('radio', { name: 'Markdown' }))
  expect(await screen.findByRole('table')).toBeTruthy()
  cleanup()
  renderPanel(<Both />, viewer())
  expect(await screen.findByRole('table')).toBeTruthy()
})

it('takes nothing from what an agent wrote but words: no HTML, no picture, no link that leads away', async () => {
  renderPanel(<Both />, viewer())
  fireEvent.click(screen.getByRole('radio', { name: 'Markdown' }))
  await screen.findByRole('table')
  expect(document.querySelectorAll('a, img, h2, script, iframe')).toHaveLength(0)
  expect(document.body.textContent).toContain('here (https://example.org/x)')
  expect(document.body.textContent).toContain('image: pic (https://example.org/q.png)')
})

it('offers to parse a text that holds JSON, and shows it as it was sent until then', () => {
  renderPanel(<ValueView label="Output" value={'{"hits":[1]}'} missing="nothing" />, viewer())
  expect(document.body.textContent).toContain('{"hits":[1]}')
  fireEvent.click(screen.getByRole('button', { name: 'Parse' }))
  expect(document.body.textContent).toContain('"hits": [')
})
