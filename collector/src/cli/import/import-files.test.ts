import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runCommandLine } from '../../testing/command-line.ts'
import { traceRequest } from '../../testing/spans.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'graphmind-import-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const write = (name: string, content: string | Uint8Array) => writeFileSync(join(folder, 'traces', name), content)
const graphmind = (...paths: readonly string[]) =>
  runCommandLine(['import', ...paths.map((path) => join(folder, path)), '--db', join(folder, 'graphmind.db')])
const request = (id: number) => JSON.stringify(traceRequest([{ id, type: 'agent', start: id, end: id + 1 }]))

describe('graphmind import', () => {
  beforeEach(() => mkdirSync(join(folder, 'traces')))

  it('reads what links lead to, and follows no link back to a folder', async () => {
    writeFileSync(join(folder, 'elsewhere.json'), request(1))
    symlinkSync('../elsewhere.json', join(folder, 'traces', 'link.json'))
    symlinkSync('..', join(folder, 'traces', 'back'))
    symlinkSync('nowhere', join(folder, 'traces', 'broken'))
    const { exitCode, out, err } = await graphmind('traces')
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' })
    expect(out).toContain('1 span')
  })

  it('names each file of a folder that it can’t read, and what it could read once', async () => {
    for (let index = 10; index < 40; index++) write(`${index}.txt`, 'notes')
    write('a.json', request(1))
    const { exitCode, err } = await graphmind('traces')
    expect(exitCode).toBe(0)
    expect(err.match(/line 1: it is not JSON\)/g)).toHaveLength(20)
    expect(err).toContain('… and 10 more.')
    expect(err.match(/Known formats/g)).toHaveLength(1)
  })

  it.each([
    ['empty.json', '', 'empty.json is empty.'],
    ['twice.gz', gzipSync(gzipSync(request(1))), 'packed a second time'],
    ['traces.tar', `${'x'.repeat(257)}ustar`, 'a tar archive; unpack it first'],
    ['traces.bz2', 'BZh91AY', 'packed with bzip2'],
    ['latin.json', Buffer.from('{"a": \u00fcber}', 'latin1'), 'not JSON in UTF-8'],
  ])('says of %s what is wrong with it', async (name, content, words) => {
    write(name, content)
    const { exitCode, err } = await graphmind(`traces/${name}`)
    expect({ exitCode, err }).toEqual({ exitCode: 1, err: expect.stringContaining(words) })
  })

  it('says which path leads to nothing', async () => {
    expect((await graphmind('missing')).err).toContain(`There is no file or folder ${join(folder, 'missing')}.`)
    expect((await graphmind('traces')).err).toContain(`There is no file in ${join(folder, 'traces')}.`)
  })
})
