import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { serveFilePath } from '../server/serve-file.ts'
import type { ServeFlags } from '../settings.ts'
import { serve } from './serve.ts'

function recorder() {
  const out: string[] = []
  const err: string[] = []
  return { out, err, console: { out: (line: string) => out.push(line), err: (line: string) => err.push(line), isTerminal: false } }
}

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
})
