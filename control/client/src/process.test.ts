import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterEach, describe, expect, it } from 'vitest'
import { type FakeViewer, startFakeViewer } from './testing/fake-viewer.ts'

const entry = new URL('./index.ts', import.meta.url).href
const search = `{ nodeId: 'tool:search', kind: 'tool', name: 'search' }`

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

async function viewerWith(options: Parameters<typeof startFakeViewer>[0]): Promise<FakeViewer> {
  const viewer = await startFakeViewer(options)
  cleanups.push(() => viewer.close())
  return viewer
}

/** Runs a program with a `session` in a process of its own; resolves with its exit code and output. */
function runProgram(url: string, body: string): Promise<{ code: number | null; output: string }> {
  return startProgram(url, body).ended
}

function startProgram(url: string, body: string) {
  const program = `import { createSession } from ${JSON.stringify(entry)}; const session = createSession({ url: ${JSON.stringify(url)} }); ${body}`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], { stdio: ['ignore', 'pipe', 'pipe'] })
  cleanups.push(() => child.kill('SIGKILL'))
  let output = ''
  child.stdout.on('data', (data) => {
    output += String(data)
  })
  child.stderr.on('data', (data) => {
    output += String(data)
  })
  return { child, ended: once(child, 'close').then(([code]) => ({ code: code as number | null, output })) }
}

describe('the process of the program', () => {
  it('ends by itself while a session is attached and idle', async () => {
    const viewer = await viewerWith({})
    const { code, output } = await runProgram(viewer.url, `console.log(await session.ready()); session.emit('graph.hint', { nodes: [] })`)
    expect({ code, output }).toEqual({ code: 0, output: 'true\n' })
  })

  it('ends by itself while no debugger is there', async () => {
    const { code, output } = await runProgram(
      'ws://127.0.0.1:9/ingest',
      `session.emit('graph.hint', { nodes: [] }); await session.gate('before', ${search})`,
    )
    expect({ code, output }).toEqual({ code: 0, output: '' })
  })

  it('stays alive while a call is held, with nothing else to do, and goes on when it is released', async () => {
    const viewer = await viewerWith({ breakpoints: [{}] })
    const ended = runProgram(viewer.url, `await session.ready(); console.log((await session.gate('before', ${search})).output)`)
    const paused = await viewer.event('exec.paused')
    // A process that only waited for an unref'd socket would be gone before this answer.
    viewer.setMode('run')
    viewer.resume(paused, 'inject', { output: 'from the viewer' })
    const { code, output } = await ended
    expect(code).toBe(0)
    expect(output).toContain('from the viewer')
  })

  it('stays alive until ready() and dispose() settle, and a short program loses nothing', async () => {
    const viewer = await viewerWith({})
    const { code } = await runProgram(viewer.url, `session.emit('graph.hint', { nodes: [] }); await session.dispose()`)
    expect(code).toBe(0)
    expect(viewer.events('graph.hint')).toHaveLength(1)
    const nobody = await runProgram('ws://127.0.0.1:9/ingest', `console.log(await session.ready({ timeoutMs: 50 }))`)
    expect(nobody).toEqual({ code: 0, output: 'false\n' })
  })

  it('goes on when the debugger dies while a call is held', async () => {
    const viewer = await viewerWith({ breakpoints: [{}] })
    const ended = runProgram(viewer.url, `await session.ready(); console.log((await session.gate('before', ${search})).action)`)
    await viewer.event('exec.paused')
    await viewer.close()
    expect(await ended).toMatchObject({ code: 0, output: expect.stringContaining('continue') })
  })

  it.skipIf(process.platform === 'win32').each([
    ['ends at a signal', '', '', null],
    ['hears a signal itself', `process.on('SIGTERM', () => { console.log('cleaned up'); process.exit(7) });`, 'cleaned up\n', 7],
  ])('%s while a call is held', async (_what, handler, said, exitCode) => {
    const viewer = await viewerWith({ breakpoints: [{}] })
    const { child, ended } = startProgram(
      viewer.url,
      `${handler} await session.ready(); await session.gate('before', ${search}); console.log('went on')`,
    )
    await viewer.event('exec.paused')
    child.kill('SIGTERM')
    const { code, output } = await ended
    expect([code, output.replace(/^\[graphmind\] HOLDING .*\n/m, '')]).toEqual([exitCode, said])
  })
})
