import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PauseInfo } from '@graphmind-ai/schema'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { startCollector } from '../support/collector.ts'
import { installExample } from '../support/examples.ts'
import { type Program, root, startProgram } from '../support/process.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'graphmind-demo-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const demo = (...args: readonly string[]): Program =>
  startProgram([join(root, 'collector', 'bin', 'graphmind.js'), 'demo', ...args, '--db', join(folder, 'graphmind.db')])

async function release(url: string, command: object): Promise<PauseInfo | undefined> {
  const answer = await fetch(`${url}/api/pauses?wait=60`)
  const [pause] = ((await answer.json()) as { readonly pauses: readonly PauseInfo[] }).pauses
  const resumed = await fetch(`${url}/api/runs/${pause?.runId}/pauses/${pause?.pauseId}/resume`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(command),
  })
  expect(resumed.status).toBe(200)
  return pause
}

it('plays the demo on a server of its own, which stays up until it is stopped', async () => {
  const program = demo('--port', '0')
  const [, url = ''] = await program.line(/The demo runs at (http:\/\/\S+?)\/run\//)
  expect(await release(url, { action: 'inject', output: { withinBudget: true } })).toMatchObject({
    nodeId: 'tool:checkBudget',
    point: 'error',
  })
  await program.line(/The demo run has ended: ok\.\nThe server stays up/)
  expect((await fetch(`${url}/health`)).status).toBe(200)
  await program.stop()
  expect(await program.exited).toBe(0)
})

it('uses the server that has the database, and ends with the run', async () => {
  const collector = await startCollector([], { folder })
  try {
    const program = demo()
    await program.line(new RegExp(`The demo runs at ${collector.url}/run/`))
    await release(collector.url, { action: 'abort' })
    expect(await program.exited, program.output()).toBe(0)
    expect(program.output()).toContain('The demo run was aborted')
    expect(await collector.runs()).toMatchObject([{ source: 'demo', app: 'trip-planner' }])
  } finally {
    await collector.stop()
  }
})

it('leaves a held run when it is stopped', async () => {
  const collector = await startCollector([], { folder })
  try {
    const program = demo()
    await program.line(/The demo runs at/)
    await fetch(`${collector.url}/api/pauses?wait=60`)
    await program.stop()
    expect(await program.exited).toBe(0)
  } finally {
    await collector.stop()
  }
})

it('runs the real agent with --live', async () => {
  installExample('demo-agent')
  const collector = await startCollector([], { folder })
  try {
    const program = demo('--live')
    expect(await release(collector.url, { action: 'inject', output: 'yes, 462 euros are left' })).toMatchObject({
      nodeId: 'tool:checkBudget',
    })
    expect(await program.exited, program.output()).toBe(0)
    expect(program.output()).toContain('yes, 462 euros are left')
  } finally {
    await collector.stop()
  }
})
