import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startCollector } from '../support/collector.ts'
import { root, startProgram } from '../support/process.ts'
import { FOREIGN_URL, Server } from './support/server.ts'

// contract/cli.md, `graphmind serve`: what needs a server of its own. Not run against a foreign server.

async function armedBy(args: readonly string[], env: Record<string, string> = {}): Promise<{ breakpoints: unknown; words: string }> {
  const collector = await startCollector(args, { env })
  try {
    await collector.program.line(/Pause on error/)
    const answer = (await (await fetch(`${collector.url}/api/breakpoints`)).json()) as { breakpoints: unknown }
    return { breakpoints: answer.breakpoints, words: collector.program.output() }
  } finally {
    await collector.stop()
  }
}

describe.skipIf(FOREIGN_URL !== undefined)('graphmind serve', () => {
  it.each<[string, readonly string[], Record<string, string>, unknown, RegExp]>([
    ['arms one breakpoint, at the first error of any node', [], {}, [{ point: 'error' }], /Pause on error: on/],
    ['--pause-on-error off starts with no breakpoints at all', ['--pause-on-error', 'off'], {}, [], /Pause on error: off/],
    ['--pause-on-error tool narrows it to a kind', ['--pause-on-error', 'tool'], {}, [{ kind: 'tool', point: 'error' }], /tool/],
    ['GRAPHMIND_PAUSE_ON_ERROR does the same', [], { GRAPHMIND_PAUSE_ON_ERROR: 'llm' }, [{ kind: 'llm', point: 'error' }], /llm/],
    ['the flag beats the variable', ['--pause-on-error', 'on'], { GRAPHMIND_PAUSE_ON_ERROR: 'off' }, [{ point: 'error' }], /on/],
  ])('%s, and says what it armed', async (_what, args, env, breakpoints, words) => {
    const armed = await armedBy(args, env)
    expect(armed.breakpoints).toEqual(breakpoints)
    expect(armed.words).toMatch(words)
  })

  it('an unrecognised value is refused rather than falling back to the sharpest setting', async () => {
    const program = startProgram([join(root, 'collector', 'bin', 'graphmind.js'), 'serve', '--port', '0', '--pause-on-error', 'sometimes'])
    expect(await program.exited).not.toBe(0)
    expect(program.output()).toContain('sometimes')
  })

  it('--db and GRAPHMIND_DB choose the database file, and the flag wins', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'graphmind-conformance-'))
    try {
      const collector = await startCollector([], { folder, env: { GRAPHMIND_DB: join(folder, 'other.db') } })
      await collector.stop()
      expect([existsSync(join(folder, 'graphmind.db')), existsSync(join(folder, 'other.db'))]).toEqual([true, false])
      expect(statSync(join(folder, 'graphmind.db')).mode & 0o077).toBe(0)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })

  it('serves the viewer build that GRAPHMIND_VIEWER_DIST names, and a page that explains while there is none; the API works regardless', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'graphmind-viewer-'))
    const own = new Server()
    await own.start([], { env: { GRAPHMIND_VIEWER_DIST: folder } })
    try {
      const page = async () => await (await fetch(own.url)).text()
      expect(await page()).toContain('not built')
      expect((await own.get('/api/runs')).status).toBe(200)
      writeFileSync(join(folder, 'index.html'), '<title>mine</title>')
      expect(await page()).toBe('<title>mine</title>')
    } finally {
      await own.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  })

  it('binds loopback only, serves the viewer at /, and says its name, version and address', async () => {
    const own = new Server()
    await own.start()
    try {
      expect(new URL(own.url).hostname).toBe('127.0.0.1')
      expect((await own.get('/health')).body).toEqual({ ok: true, name: 'graphmind', version: expect.stringMatching(/^\d+\.\d+\.\d+/) })
      const page = await fetch(own.url)
      expect(page.status).toBe(200)
      expect(page.headers.get('content-type')).toContain('text/html')
    } finally {
      await own.stop()
    }
  })
})
