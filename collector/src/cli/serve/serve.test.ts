import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { serveFilePath } from '../server/serve-file.ts'
import type { ServeFlags } from '../settings.ts'
import { serve } from './serve.ts'

function recorder() {
  const out: string[] = []
  const err: string[] = []
  return { out, err, console: { out: (line: string) => out.push(line), err: (line: string) => err.push(line), isTerminal: false } }
}

const opened: string[] = []
// The one thing that can't be real here: somebody's browser.
vi.mock('open', () => ({
  default: async (address: string) => {
    opened.push(address)
    return { on: () => undefined, unref: () => undefined }
  },
}))

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'graphmind-home-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const FLAGS: ServeFlags = { port: '0', db: ':memory:', otlpPorts: false, editInput: true }

describe('serve', () => {
  it('prints the address and what it armed, and opens nothing where nobody looks', async () => {
    const { out, err, console } = recorder()
    const started = await serve({ ...FLAGS, pauseOnError: 'tool' }, { environment: { GRAPHMIND_HOME: home }, console })
    if (!started.ok) throw new Error(started.problem.message)
    expect(out.join('\n')).toContain(started.value.url)
    expect(out.join('\n')).toContain('Pause on error: on, at tool nodes')
    expect(err).toEqual([])
    await started.value.stop()
  })

  it('keeps stdout to one line of JSON with --json', async () => {
    const { out, console } = recorder()
    const started = await serve({ ...FLAGS, json: true }, { environment: { GRAPHMIND_HOME: home }, console })
    if (!started.ok) throw new Error(started.problem.message)
    expect(out).toHaveLength(1)
    const { port, url } = started.value
    expect(JSON.parse(out[0] ?? '')).toEqual({ port, url, pid: process.pid, version: expect.any(String) })
    await started.value.stop()
  })

  it('leaves a token for this user’s agents in a file that only they can read, and takes it away at the end', async () => {
    const { out, err, console } = recorder()
    const started = await serve(FLAGS, { environment: { GRAPHMIND_HOME: home }, console })
    if (!started.ok) throw new Error(started.problem.message)
    const { port, url, stop } = started.value
    const path = serveFilePath(home, port)
    const { agentToken, ...told } = JSON.parse(readFileSync(path, 'utf8'))
    expect(told).toEqual({ port, url, pid: process.pid, version: expect.any(String) })
    expect(agentToken).toMatch(/^[\w-]{24}$/)
    expect([statSync(path).mode & 0o777, statSync(dirname(path)).mode & 0o777]).toEqual([0o600, 0o700])
    expect(out.join() + err.join()).not.toContain(agentToken)
    await stop()
    expect(existsSync(path)).toBe(false)
  })

  it('serves without that file where it can’t be written, and says so', async () => {
    const { err, console } = recorder()
    writeFileSync(join(home, 'run'), 'in the way')
    const started = await serve(FLAGS, { environment: { GRAPHMIND_HOME: home }, console })
    expect(started.ok).toBe(true)
    expect(err.join()).toContain('could not be written')
    if (started.ok) await started.value.stop()
  })

  it('leaves the file of a server that came after it on the same port', async () => {
    const { console } = recorder()
    const started = await serve(FLAGS, { environment: { GRAPHMIND_HOME: home }, console })
    if (!started.ok) throw new Error(started.problem.message)
    const path = serveFilePath(home, started.value.port)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, JSON.stringify({ pid: process.pid + 1, agentToken: 'of another' }))
    await started.value.stop()
    expect(existsSync(path)).toBe(true)
  })

  it('keeps the token out of the arguments of the browser', async () => {
    const { console } = recorder()
    const environment = { GRAPHMIND_HOME: home, GRAPHMIND_TOKEN: 'a-token-of-sixteen' }
    const started = await serve({ ...FLAGS, open: true }, { environment, console })
    if (!started.ok) throw new Error(started.problem.message)
    const page = join(home, 'run', `open-${started.value.port}.html`)
    expect(opened).toEqual([pathToFileURL(page).href])
    expect(readFileSync(page, 'utf8')).toContain(`url=${started.value.url}/#token=a-token-of-sixteen"`)
    expect(statSync(page).mode & 0o777).toBe(0o600)
    await started.value.stop()
    expect(existsSync(page)).toBe(false)
  })
})
