import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { expect, it } from 'vitest'
import { root, startProgram } from '../support/process.ts'

const BIN = join(root, 'collector', 'bin', 'graphmind.js')
const JAEGER = join(root, 'test', 'cases', '10-jaeger-export', 'trace.json')

it('serves recorded runs to the SDK’s own client over stdio, and ends when it goes away', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'graphmind-mcp-'))
  const db = join(folder, 'graphmind.db')
  try {
    expect(await startProgram([BIN, 'import', JAEGER, '--db', db]).exited).toBe(0)
    const transport = new StdioClientTransport({ command: process.execPath, args: [BIN, 'mcp', '--db', db], stderr: 'pipe' })
    const client = new Client({ name: 'e2e', version: '1' })
    await client.connect(transport)
    expect(client.getServerVersion()).toMatchObject({ name: 'graphmind' })
    const answer = await client.callTool({ name: 'find_errors', arguments: {} })
    expect(JSON.stringify(answer)).toContain('00abc0de000000000000000000000011')
    const wrong = await client.callTool({ name: 'list_runs', arguments: { limit: 101 } })
    expect(wrong.isError).toBe(true)
    const { pid } = transport
    await client.close()
    expect(() => process.kill(pid ?? 0, 0)).toThrow(/ESRCH/)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
