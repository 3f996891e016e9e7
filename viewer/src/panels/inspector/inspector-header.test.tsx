import type { InstancePicture } from '@graphmind-ai/schema'
import { cleanup, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { PRICE_SOURCE } from '../../model/estimate.ts'
import { fakeViewer, renderPanel } from '../../testing/fake-viewer.tsx'
import { runFromText, START } from '../../testing/run-from-text.ts'
import { Inspector } from './inspector.tsx'

beforeEach(() => localStorage.clear())
afterEach(cleanup)

/** Draws the inspector on a model call of this shape. */
function modelCall(change: Partial<InstancePicture>) {
  const run = runFromText('agent planner 0-900\n  llm draft 10-300')
  const instance = run.picture.instances.get('draft1')
  if (instance === undefined) throw new Error('draft1 is not in the picture.')
  run.picture.instances.set('draft1', { ...instance, ...change })
  renderPanel(<Inspector />, fakeViewer(run), 'instance=draft1')
}

/** The facts of the header, with their tooltips. */
function facts() {
  const terms = within(screen.getByRole('region', { name: 'Inspector' }))
    .getAllByRole('term')
    .map((term) => [term.textContent, [term.nextElementSibling?.textContent, term.parentElement?.title]] as const)
  return Object.fromEntries(terms)
}

const usage = { inputTokens: 12_345, outputTokens: 678 }

describe('the head of the inspector', () => {
  it('tells first token, tokens in and out, cached and reasoning, model and why it ended, exactly on hover', () => {
    const stream = { text: 'x', reasoning: '', toolArgs: '', chunks: 1, firstAt: START + 60, lastAt: START + 70 }
    const tokens = { ...usage, cacheReadTokens: 9000, reasoningTokens: 321, costUsd: 0.0123 }
    modelCall({ usage: tokens, stream, model: 'trip-planner-1', provider: 'acme', finishReason: 'stop' })
    expect(facts()).toMatchObject({
      Duration: ['290 ms', expect.stringContaining('took 290')],
      'First token': ['50 ms', expect.stringContaining('50')],
      Tokens: ['12.3k in · 678 out', '12,345 in, 678 out'],
      Cached: ['9k', '9,000'],
      Reasoning: ['321', '321'],
      Cost: ['$0.0123', '$0.0123, as reported by the agent'],
      Model: ['trip-planner-1', 'acme'],
      'Ended by': ['stop', ''],
    })
    expect(facts()['In']?.[0]).toBe('agent planner')
  })

  it('takes the time of the first token from the call where that tells it', () => {
    modelCall({ extra: { firstTokenMs: 42 } })
    expect(facts()).toMatchObject({ 'First token': ['42 ms', expect.stringContaining('42')] })
  })

  it('shows what is not known as such, and never as zero', () => {
    modelCall({})
    expect(facts()).toMatchObject({ Tokens: ['—', 'No tokens reported'] })
    expect(facts()).not.toHaveProperty('Cost')
    expect(facts()).not.toHaveProperty('First token')
    expect(facts()).not.toHaveProperty('Cached')
  })

  it('shows a call that reported to be free as free', () => {
    modelCall({ usage: { ...usage, costUsd: 0 } })
    expect(facts()).toMatchObject({ Cost: ['$0', expect.stringContaining('as reported')] })
  })

  it('tells a cost that nobody knows from one that is estimated, with where the estimate is from', async () => {
    modelCall({ usage, model: 'trip-planner-1', provider: 'acme' })
    expect(facts()).toMatchObject({ Cost: ['unknown', 'The agent reported none, and it can’t be estimated'] })
    cleanup()
    modelCall({ usage, model: 'gpt-4o-mini', provider: 'openai' })
    await screen.findByText('Estimated')
    expect(facts()['Estimated']).toEqual([expect.stringMatching(/^≈ \$0\.00/), expect.stringContaining(PRICE_SOURCE)])
    expect(facts()).not.toHaveProperty('Cost')
  })
})
