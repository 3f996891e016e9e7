import { afterEach, expect, it, vi } from 'vitest'
import { fakeViewer } from '../testing/fake-viewer.tsx'
import { runFromText } from '../testing/run-from-text.ts'
import { saveRunAs } from './export.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const told = async (answers: { readonly file: Response; readonly redacted?: Response }) => {
  const asked: string[] = []
  vi.stubGlobal('fetch', async (path: string) => {
    asked.push(path)
    return path.includes('/redacted') ? answers.redacted : answers.file
  })
  // The file itself is for a real browser: test/e2e saves one.
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue(undefined)
  const viewer = fakeViewer(runFromText('tool search 0-10'))
  saveRunAs(viewer, 'run 1', 'html')
  await vi.waitFor(() => expect(viewer.workbench.getState().toast ?? viewer.store.getState().problem).toBeDefined())
  return { asked, said: viewer.workbench.getState().toast?.text, problem: viewer.store.getState().problem }
}
const page = () => new Response('<!doctype html>')

it('saves the run as one page and tells what was left out of it', async () => {
  const redacted = Response.json({
    redacted: [
      { key: 'api_key', count: 2 },
      { key: 'token', count: 1 },
    ],
  })
  const { asked, said } = await told({ file: page(), redacted })
  expect(asked).toEqual(['/api/runs/run%201/export?format=html', '/api/runs/run%201/export/redacted?format=html'])
  expect(said).toContain('without the values under these keys: api_key (2), token (1)')
})

it('says that nothing was left out, or that this can’t be told', async () => {
  expect((await told({ file: page(), redacted: Response.json({ redacted: [] }) })).said).toContain('Nothing in it stood under a secret key')
  expect((await told({ file: page(), redacted: Response.json({}, { status: 503 }) })).said).toContain('could not be told')
})

it('says why the run was not saved', async () => {
  const { said, problem } = await told({ file: Response.json({ error: 'There is no run 7.' }, { status: 404 }) })
  expect([said, problem]).toEqual([undefined, 'The run was not saved. There is no run 7.'])
})
