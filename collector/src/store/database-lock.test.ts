import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { announceServer, findServer, lockForCommand, lockPath } from './database-lock.ts'

let folder: string
let database: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'graphmind-lock-'))
  database = join(folder, 'graphmind.db')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

// Process ids end far below this on every system we run on.
const NOBODY = 2 ** 30

async function withServer(name: string, use: (port: number) => Promise<void>): Promise<void> {
  const server = createServer((_request, response) => response.end(JSON.stringify({ ok: true, name })))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  try {
    await use(typeof address === 'object' && address !== null ? address.port : 0)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

describe('the lock beside a database', () => {
  it('leads to the server that owns it, and to none once it has stopped', async () => {
    await withServer('graphmind', async (port) => {
      const stop = announceServer(database, port)
      expect(await findServer(database)).toBe(`http://127.0.0.1:${port}`)
      if (process.platform !== 'win32') expect(statSync(lockPath(database)).mode & 0o777).toBe(0o600)
      stop()
      expect(await findServer(database)).toBeUndefined()
      expect(existsSync(lockPath(database))).toBe(false)
    })
  })

  it('is not believed when something else answers on the port, or the process is gone', async () => {
    await withServer('something else', async (port) => {
      announceServer(database, port)
      expect(await findServer(database)).toBeUndefined()
      writeFileSync(lockPath(database), JSON.stringify({ pid: NOBODY, port }))
      expect(await findServer(database)).toBeUndefined()
      writeFileSync(lockPath(database), 'half a li')
      expect(await findServer(database)).toBeUndefined()
    })
  })

  it('keeps a second writing command out, but not for a process that is gone', () => {
    writeFileSync(lockPath(database), JSON.stringify({ pid: process.ppid, port: null }))
    expect(lockForCommand(database)).toMatchObject({ ok: false, problem: { code: 'database-locked' } })
    writeFileSync(lockPath(database), JSON.stringify({ pid: NOBODY, port: null }))
    const lock = lockForCommand(database)
    expect(lock.ok).toBe(true)
    if (lock.ok) lock.value()
    expect(existsSync(lockPath(database))).toBe(false)
  })

  it('is left alone by a process that does not own it', () => {
    const stop = announceServer(database, 1)
    writeFileSync(lockPath(database), JSON.stringify({ pid: NOBODY, port: 2 }))
    stop()
    expect(JSON.parse(readFileSync(lockPath(database), 'utf8'))).toEqual({ pid: NOBODY, port: 2 })
  })
})
