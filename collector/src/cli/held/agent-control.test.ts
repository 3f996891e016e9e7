import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSession, type Session } from '@graphmind-ai/client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import type { Collector } from '../../collector.ts'
import { runCommandLine } from '../../testing/command-line.ts'
import { createMcpServer } from '../mcp/server.ts'
import { serve } from '../serve/serve.ts'
import { readServeFile } from '../server/serve-file.ts'

vi.setConfig({ testTimeout: 60_000 })

let home: string
const stops: (() => Promise<unknown>)[] = []
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'graphmind-agent-'))
})
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
  rmSync(home, { recursive: true, force: true })
})

const environment = () => ({ GRAPHMIND_HOME: home })

async function served(allowControl: string | undefined, more: { readonly editInput?: boolean } = {}, token?: string): Promise<Collector> {
  const flags = { port: '0', db: join(home, 'graphmind.db'), otlpPorts: false, editInput: true, pauseOnError: 'off', ...more }
  const silent = { out: () => undefined, err: () => undefined, isTerminal: false }
  const started = await serve(
    { ...flags, ...(allowControl === undefined ? {} : { allowControl }) },
    { environment: { ...environment(), ...(token === undefined ? {} : { GRAPHMIND_TOKEN: token }) }, console: silent },
  )
  if (!started.ok) throw new Error(started.problem.message)
  stops.push(() => started.value.stop())
  return started.value
}

/** A program whose call is held in step mode. */
async function heldCall({ url, token }: Collector): Promise<{ readonly runId: string; readonly session: Session }> {
  const logger = { warn: () => undefined }
  const env = token === undefined ? {} : { GRAPHMIND_TOKEN: token }
  const session = createSession({ url: `${url.replace('http', 'ws')}/ingest`, appName: 'app', enabled: true, env, logger })
  stops.push(() => session.dispose())
  await session.ready()
  const began = Promise.withResolvers<string>()
  const viewer = new WebSocket(
    `${url.replace('http', 'ws')}/ws/ui`,
    token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } },
  )
  stops.push(async () => viewer.terminate())
  await new Promise((resolve) => viewer.once('message', resolve))
  const envelope = { gm: 1, seq: 0, ts: 1, runId: '*', type: 'mode.set', payload: { mode: 'step' } }
  viewer.send(JSON.stringify({ type: 'control', envelope }))
  await new Promise((resolve) => viewer.on('message', (data) => String(data).includes('"step"') && resolve(undefined)))
  session
    .run('trip', async ({ runId }) => {
      began.resolve(runId)
      const node = { nodeId: 'tool:search', kind: 'tool', name: 'search', instanceId: 'call-1' } as const
      session.emit('node.started', { ...node, input: { city: 'Lisbon' } })
      await session.gate('before', node, { input: { city: 'Lisbon' }, editable: true })
    })
    .catch(() => undefined)
  return { runId: await began.promise, session }
}

const graphmind = (...args: readonly string[]) => runCommandLine([...args, '--db', join(home, 'graphmind.db')], environment())
const heldPause = async (): Promise<string> => JSON.parse((await graphmind('wait', '--json')).out).pauseId

/** The tools as a coding agent calls them. */
async function codingAgent() {
  const server = createMcpServer({ flags: { db: join(home, 'graphmind.db') }, environment: environment() }, true)
  const [here, there] = InMemoryTransport.createLinkedPair()
  const client = new Client({ name: 'test', version: '1' })
  await Promise.all([server.connect(there), client.connect(here)])
  stops.push(() => client.close())
  return async (name: string, given: Record<string, unknown>) => {
    const answer = (await client.callTool({ name, arguments: given })) as CallToolResult
    const [content] = answer.content
    return { isError: answer.isError === true, text: content?.type === 'text' ? content.text : '' }
  }
}

const WISHES = {
  continue: ['--action', 'continue'],
  abort: ['--action', 'abort'],
  inject: ['--action', 'inject', '--output', '1'],
  edit: ['--action', 'continue', '--input', '{"city":"Porto"}'],
}
type Wish = keyof typeof WISHES

describe('graphmind serve --allow-control', () => {
  it.each<[refused: readonly Wish[], level: string | undefined, allowed: Wish | undefined]>([
    [['continue', 'abort', 'inject', 'edit'], undefined, undefined],
    [['continue', 'inject'], 'off', undefined],
    [['inject', 'edit'], 'resume', 'continue'],
    [['edit'], 'inject', 'inject'],
    [[], 'edit', 'edit'],
  ])('does not let agents %s at level %s', async (refused, level, allowed) => {
    await heldCall(await served(level))
    const pauseId = await heldPause()
    for (const wish of refused) {
      const ran = await graphmind('resume', pauseId, ...WISHES[wish])
      expect({ wish, exitCode: ran.exitCode }).toEqual({ wish, exitCode: 5 })
      expect(ran.err).toContain('--allow-control')
    }
    const { resume } = JSON.parse((await graphmind('wait', '--json')).out)
    for (const command of resume) expect(refused).not.toContain(/--action (\w+)/.exec(command)?.[1])
    expect((await graphmind('wait')).out).toContain('/run/')
    if (allowed !== undefined) expect(await graphmind('resume', pauseId, ...WISHES[allowed])).toMatchObject({ exitCode: 0 })
  })

  it('stamps the record of a release with agent, or with viewer for the server’s own token', async () => {
    const token = 'the-server-has-one'
    for (const [own, principal] of [
      [{}, 'agent'],
      [{ GRAPHMIND_TOKEN: token }, 'viewer'],
    ] as const) {
      const collector = await served('resume', {}, token)
      const { runId } = await heldCall(collector)
      const pauseId = await heldPause()
      const command = ['resume', pauseId, '--action', 'continue', '--operator', 'ci', '--db', join(home, 'graphmind.db')]
      expect(await runCommandLine(command, { ...environment(), ...own })).toMatchObject({ exitCode: 0 })
      await vi.waitFor(async () => {
        const answer = await fetch(`${collector.url}/api/runs/${runId}/events`, { headers: { authorization: `Bearer ${token}` } })
        const { events } = (await answer.json()) as { readonly events: readonly { readonly type: string; readonly payload: object }[] }
        expect(events.find(({ type }) => type === 'exec.resumed')?.payload).toMatchObject({ principal, operator: 'ci' })
      }, 20_000)
      for (const stop of stops.splice(0).reverse()) await stop()
    }
  })

  it('is found by port, too', async () => {
    const { port } = await served(undefined)
    const ran = await runCommandLine(['pauses', '--json', '--port', String(port)], environment())
    expect(ran).toMatchObject({ exitCode: 0, out: '{"pauses":[]}' })
    const file = readServeFile(home, port)
    const answer = await fetch(`http://127.0.0.1:${port}/api/session`, { headers: { authorization: `Bearer ${file?.agentToken}` } })
    expect(await answer.json()).toMatchObject({ principal: 'agent', level: 'off', agentLevel: 'off', editInput: false })
  })

  it('says which token is wrong, with 5', async () => {
    const { port } = await served('edit')
    const ran = await runCommandLine(['pauses', '--port', String(port)], { ...environment(), GRAPHMIND_TOKEN: 'of-another-server' })
    expect(ran).toMatchObject({ exitCode: 5, err: expect.stringContaining('not the token of this server') })
  })

  it('keeps coding agents to the level as well', async () => {
    await heldCall(await served('resume'))
    const pauseId = await heldPause()
    const call = await codingAgent()
    const { runId } = JSON.parse((await graphmind('pauses', '--json')).out).pauses[0]
    const refused = { isError: true, text: expect.stringContaining('--allow-control inject') }
    expect(await call('resume_pause', { runId, pauseId, action: 'inject', output: 1 })).toMatchObject(refused)
    expect(await call('set_breakpoint', { name: 'search' })).toMatchObject({ isError: false, text: expect.stringContaining('search') })
    expect(await call('resume_pause', { runId, pauseId, action: 'continue' })).toMatchObject({ text: expect.stringContaining('resumed') })
  })

  it('lets coding agents set no breakpoint where they may only look', async () => {
    await served('off')
    expect(await (await codingAgent())('set_breakpoint', { name: 'search' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('--allow-control resume'),
    })
  })
})

describe('graphmind serve --no-edit-input', () => {
  it('lets nobody edit, not even over a level that would', async () => {
    const collector = await served('edit', { editInput: false })
    await heldCall(collector)
    const pauseId = await heldPause()
    const ran = await graphmind('resume', pauseId, ...WISHES.edit)
    expect(ran).toMatchObject({ exitCode: 5, err: expect.stringContaining('--no-edit-input') })
    const session = await (await fetch(`${collector.url}/api/session`)).json()
    expect(session).toMatchObject({ principal: 'anonymous', editInput: false, hubCapabilities: ['run-claim'] })
  })
})
