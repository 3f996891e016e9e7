import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { emptyRun, foldEnvelope, nodesOf } from '@graphmind-ai/schema'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { WebSocketServer } from 'ws'
import { type RunningCollector, startCollector } from '../support/collector.ts'
import { eventually } from '../support/eventually.ts'
import { installExample } from '../support/examples.ts'
import { type Program, root, startProgram } from '../support/process.ts'
import { ViewerScript } from '../support/viewer-script.ts'

const example = join(root, 'examples', 'proxies')
const graphmind = join(root, 'collector', 'bin', 'graphmind.js')
const tee = (file: string) => [process.execPath, join(root, 'test', 'support', 'tee.mjs'), file]
const proxy = [process.execPath, graphmind, 'mcp-proxy', '--wait-for-attach', '--']

let collector: RunningCollector
let folder: string
beforeAll(() => installExample('proxies'))
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'graphmind-proxies-'))
  collector = await startCollector(['--pause-on-error', 'off'])
})
afterEach(async () => {
  await collector.stop()
  rmSync(folder, { recursive: true, force: true })
})

const bytes = (file: string) => readFileSync(join(folder, file))

function startMcp(server: string, inFront: readonly string[], env: Record<string, string> = {}): Program {
  return startProgram([join(example, 'mcp.mjs'), server, '--', ...inFront], {
    cwd: example,
    // Both clients make a call that fails, and nobody is there to let it go.
    env: { GRAPHMIND_URL: collector.ingestUrl, MCP_FOLDER: folder, GRAPHMIND_BREAK_ON_ERROR_RESULT: 'off', ...env },
  })
}

async function ranWell(program: Program): Promise<void> {
  expect(await program.exited, program.output()).toBe(0)
}

/** The nodes of a run as the viewer folds them. */
async function nodes(runId: string) {
  const run = emptyRun(runId)
  for (const envelope of await collector.events(runId)) foldEnvelope(run, envelope)
  return nodesOf(run)
}

describe('real MCP servers behind the proxy', () => {
  it.each([
    ['everything', '1'],
    ['everything', '2'],
    ['filesystem', '1'],
    ['filesystem', '2'],
  ])('%s, with generation %s of the SDK’s client: byte for byte what it is without', async (server, sdk) => {
    const env = { MCP_SDK: sdk }
    await ranWell(startMcp(server, tee(join(folder, 'plain')), env))
    await ranWell(startMcp(server, [...tee(join(folder, 'client')), ...proxy, ...tee(join(folder, 'server'))], env))
    for (const way of ['in', 'out']) {
      expect(bytes(`client.${way}`).equals(bytes(`server.${way}`))).toBe(true)
      expect(bytes(`client.${way}`).equals(bytes(`plain.${way}`))).toBe(true)
    }
    const run = await eventually(async () => (await collector.runs()).find((one) => one.status !== 'running'), 'a finished run')
    expect(run).toMatchObject({ app: 'mcp-proxy', status: 'ok', category: 'agent' })
    const shown = await nodes(run.id)
    const session = shown.find(({ nodeId }) => nodeId === 'mcp:session')
    expect(session?.kind).toBe('server')
    expect(shown.filter(({ kind }) => kind === 'tool').length).toBeGreaterThan(1)
  })
})

describe('a held call whose debugger is killed', () => {
  it('goes on', async () => {
    const viewer = await ViewerScript.open(collector.url, [{ kind: 'tool', name: 'echo' }], () => {
      collector.program.child.kill('SIGKILL')
      return { action: 'continue' }
    })
    const program = startMcp('everything', proxy)
    await ranWell(program)
    expect(program.output()).toContain('HOLDING tools/call')
    expect(program.output()).toContain('as GraphMind is gone')
    viewer.close()
  })
})

describe('the real TrustGraph client behind the proxy', () => {
  let gateway: WebSocketServer
  let relay: Program
  const received: string[] = []
  const frame = (id: string, response: string, isComplete: boolean) => `{"id": "${id}", "response": ${response}, "complete": ${isComplete}}`
  const agent = (kind: string, content: string, isEnd = false) =>
    `{"chunk_type": "${kind}", "content": "${content}", "end_of_message": true, "end_of_dialog": ${isEnd}}`
  const answers: { readonly [service: string]: (id: string) => readonly string[] } = {
    'text-completion': (id) => [frame(id, '{"response": "It scatters.", "in_token": 9, "out_token": 3, "model": "toy"}', true)],
    agent: (id) => [
      frame(id, agent('thought', 'Look at the list.'), false),
      frame(id, agent('observation', 'K1, K2'), false),
      frame(id, agent('answer', 'Two cranes.', true), true),
    ],
    'graph-rag': (id) => [frame(id, '{"response": "K2 and K5.", "end_of_stream": true, "end_of_session": true}', true)],
  }

  beforeEach(async () => {
    received.length = 0
    gateway = new WebSocketServer({ host: '127.0.0.1', port: 0 })
    await once(gateway, 'listening')
    gateway.on('connection', (socket) =>
      socket.on('message', (data) => {
        received.push(data.toString())
        const { id, service } = JSON.parse(data.toString()) as { id: string; service: string }
        for (const text of answers[service]?.(id) ?? []) socket.send(text)
      }),
    )
    const { port } = gateway.address() as AddressInfo
    relay = startProgram([graphmind, 'trustgraph-proxy', '--upstream', `ws://127.0.0.1:${port}/api/v1/socket`, '--listen', '0'], {
      env: { GRAPHMIND_URL: collector.ingestUrl },
    })
  })
  afterEach(async () => {
    await relay.stop()
    for (const socket of gateway.clients) socket.terminate()
    gateway.close()
  })

  async function startClient(): Promise<Program> {
    const [, address = ''] = await relay.line(/connect to (\S+)/)
    await relay.line(/attached/)
    return startProgram([join(example, 'trustgraph.mjs'), address], { cwd: example, env: { TRUSTGRAPH_TOKEN: 'CANARY' } })
  }

  it('gets its answers, and its requests are nodes', async () => {
    const client = await startClient()
    await ranWell(client)
    expect(client.output()).toContain('completion: It scatters.')
    expect(client.output()).toContain('agent: {"thought":"Look at the list.","observation":"K1, K2","answer":"Two cranes."}')
    expect(client.output()).toContain('graph: K2 and K5.')
    const run = await eventually(async () => (await collector.runs()).find((one) => one.status === 'ok'), 'a finished run')
    expect(run).toMatchObject({ app: 'trustgraph', name: 'default', usage: { inputTokens: 9, outputTokens: 3 } })
    const ids = (await nodes(run.id)).map(({ nodeId }) => nodeId).sort()
    expect(ids).toEqual(['agent:default', 'llm:step', 'llm:text-completion', 'retriever:graph-rag', 'tool:action', 'trustgraph:session'])
    expect(JSON.stringify(await collector.events(run.id)) + relay.output()).not.toContain('CANARY')
  })

  it('takes what a person injects for the gateway’s answer', async () => {
    const viewer = await ViewerScript.open(collector.url, [{ kind: 'retriever' }], () => ({ action: 'inject', output: 'None.' }))
    const client = await startClient()
    await ranWell(client)
    viewer.close()
    expect(client.output()).toContain('graph: None.')
    expect(received.some((text) => text.includes('graph-rag'))).toBe(false)
  })
})
