import { cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { fakeViewer, renderPanel } from '../../testing/fake-viewer.tsx'
import { RUN_ID, runFromText } from '../../testing/run-from-text.ts'
import { useKeys } from '../../ui/use-keys.ts'
import { useViewer } from '../../ui/viewer-context.tsx'
import { HelpSheet } from './help-sheet.tsx'

function Page() {
  useKeys({ ...useViewer(), address: { path: `/run/${RUN_ID}`, query: '' }, navigate: () => undefined })
  return <HelpSheet />
}

let viewer: ReturnType<typeof fakeViewer>
beforeEach(() => {
  window.localStorage.clear()
  viewer = fakeViewer(runFromText('tool convert 0- waits:5 at:error'))
  renderPanel(<Page />, viewer)
  viewer.workbench.setState({ help: true })
})
afterEach(cleanup)

const close = () => viewer.workbench.setState({ help: false })
const sent = () => viewer.actions.resume.mock.calls.map(([, command]) => command.action)
const keyOf = (title: string) => screen.findByRole('button', { name: new RegExp(`^(?:Change the|Press a) key (?:of|for) ${title}[,;]`) })

it('gives a command another key, which is remembered, and the old one does nothing', async () => {
  fireEvent.click(await keyOf('Continue'))
  fireEvent.keyDown(await keyOf('Continue'), { key: 'u', altKey: true })
  close()
  fireEvent.keyDown(document.body, { key: 'c' })
  expect(sent()).toEqual([])
  fireEvent.keyDown(document.body, { key: 'u', altKey: true })
  expect(sent()).toEqual(['continue'])
  expect(fakeViewer(runFromText('tool a 0-1')).workbench.getState().keys.own).toEqual({ 'pause.continue': 'Alt+u' })
})

it('does not give a key away that another command has', async () => {
  fireEvent.click(await keyOf('Continue'))
  fireEvent.keyDown(await keyOf('Continue'), { key: 's' })
  expect((await screen.findByRole('alert')).textContent).toContain('“Step”')
  expect(viewer.workbench.getState().keys.own).toEqual({})
})

it('switches all letters off and leaves the function keys', async () => {
  fireEvent.click(await screen.findByRole('checkbox', { name: 'Letters and signs are keys' }))
  close()
  fireEvent.keyDown(document.body, { key: 'r' })
  expect(sent()).toEqual([])
  fireEvent.keyDown(document.body, { key: 'F8' })
  expect(sent()).toEqual(['continue'])
})
