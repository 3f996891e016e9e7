import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findServer, heldPath, lockPath, type Ownership, ownDatabase } from './database-lock.ts'

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
      const owner = own()
      owner.announce(port)
      expect(await findServer(database)).toEqual({ url: `http://127.0.0.1:${port}`, token: undefined })
      if (process.platform !== 'win32') {
        for (const file of [lockPath(database), heldPath(database)]) expect(statSync(file).mode & 0o777).toBe(0o600)
      }
      owner.release()
      expect(await findServer(database)).toBeUndefined()
      expect(existsSync(lockPath(database))).toBe(false)
    })
  })

  it('is not believed when something else answers on the port, or the process is gone', async () => {
    await withServer('something else', async (port) => {
      const owner = own()
      owner.announce(port)
      expect(await findServer(database)).toBeUndefined()
      owner.release()
      writeFileSync(lockPath(database), JSON.stringify({ pid: NOBODY, port }))
      expect(await findServer(database)).toBeUndefined()
      writeFileSync(lockPath(database), 'half a li')
      expect(await findServer(database)).toBeUndefined()
    })
  })

  it('is had by one at a time, and the second is told who has it', () => {
    const first = own()
    expect(ownDatabase(database)).toMatchObject({
      ok: false,
      problem: { code: 'database-owned', message: expect.stringContaining(`process ${process.pid}`) },
    })
    first.announce(4747)
    expect(ownDatabase(database)).toMatchObject({
      ok: false,
      problem: { code: 'database-owned', message: expect.stringContaining('http://127.0.0.1:4747') },
    })
    first.release()
    own().release()
  })

  it('is free again after a process that was killed, whoever has its id now', () => {
    writeFileSync(lockPath(database), JSON.stringify({ pid: process.ppid, port: null }))
    own().release()
  })

  it('is left alone by a process that does not own it', () => {
    const owner = own()
    writeFileSync(lockPath(database), JSON.stringify({ pid: NOBODY, port: 2 }))
    owner.release()
    expect(JSON.parse(readFileSync(lockPath(database), 'utf8'))).toEqual({ pid: NOBODY, port: 2 })
  })
})

function own(): Ownership {
  const owned = ownDatabase(database)
  if (!owned.ok) throw new Error(owned.problem.message)
  return owned.value
}
