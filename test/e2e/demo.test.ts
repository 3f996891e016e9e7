import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PauseInfo } from '@graphmind-ai/schema'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startCollector } from '../support/collector.ts'
import { installExample } from '../support/examples.ts'
import { startFakeProvider } from '../support/fake-provider.ts'
import { type Program, root, startProgram } from '../support/process.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'graphmind-demo-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const demo = (...args: readonly string[]): Program =>
  startProgram([join(root, 'collector', 'bin', 'graphmind.js'), 'demo', ...args, '--db', join(folder, 'graphmind.db')])

/** Without the keys of whoever runs the tests. */
const live = (env: Record<string, string>): Program =>
  startProgram([join(root, 'collector', 'bin', 'graphmind.js'), 'demo', '--live', '--db', join(folder, 'graphmind.db')], {
    env: { ANTHROPIC_API_KEY: '', OPENAI_API_KEY: '', DEMO_MODEL: 'a-model', ...env },
  })

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

describe('--live', () => {
  it.each(['anthropic', 'openai'] as const)('runs the real agent against %s', async (provider) => {
    installExample('demo-agent')
    const [collector, fake] = [await startCollector([], { folder }), await startFakeProvider(provider)]
    try {
      const program = live(fake.environment)
      await program.line(new RegExp(`The demo agent asks ${provider}`, 'i'))
      expect(await release(collector.url, { action: 'inject', output: 'yes, 462 euros are left' })).toMatchObject({
        nodeId: 'tool:checkBudget',
      })
      expect(await program.exited, program.output()).toBe(0)
      expect(program.output()).toContain('About the budget: yes, 462 euros are left')
      expect(fake.keys()).toEqual(new Set(['key-of-the-test']))
      const [run] = await collector.runs()
      expect(run).toMatchObject({ status: 'ok', app: 'trip-planner', models: [fake.model], usage: { inputTokens: 400, outputTokens: 80 } })
    } finally {
      await collector.stop()
      await fake.stop()
    }
  })

  it('says what it needs, and which way there is without', async () => {
    for (const [env, words] of [
      [{}, /set ANTHROPIC_API_KEY or OPENAI_API_KEY/],
      [{ OPENAI_API_KEY: 'k', GRAPHMIND_DEMO_AGENT_DIR: folder }, /there is no trip-live\.mjs.*examples\/demo-agent/],
    ] as const) {
      const program = live(env)
      expect(await program.exited).toBe(1)
      expect(program.output()).toMatch(words)
      expect(program.output()).toContain('graphmind demo, without --live, plays')
    }
  })

  it('says how to install an agent that is not', async () => {
    writeFileSync(join(folder, 'trip-live.mjs'), '')
    const program = live({ ANTHROPIC_API_KEY: 'k', GRAPHMIND_DEMO_AGENT_DIR: folder })
    expect(await program.exited).toBe(1)
    expect(program.output()).toContain(`npm ci --prefix ${folder}`)
  })
})
