import { createEnvelope, foldEnvelope } from '@graphmind-ai/schema'
import { describe, expect, it } from 'vitest'
import { RUN_ID, runFromText } from '../testing/run-from-text.ts'
import { type BreakpointDraft, EMPTY_DRAFT } from './breakpoint-draft.ts'
import { checkDraft, problemOf, UNCHECKED, wouldMatch } from './draft-check.ts'
import { whereWords } from './where-completion.ts'

const run = () => {
  const { picture, envelopes } = runFromText(`
    agent a 0-100
      tool search 10-20
      tool search 30-40
      tool sell 50-60 error`)
  const inputs = { search1: { q: 'Oslo', user: { id: 7 } }, search2: { q: 'Rome', tags: ['x'] }, sell1: { amount: 12 } }
  let seq = envelopes.length
  for (const [instanceId, input] of Object.entries(inputs)) {
    const instance = picture.instances.get(instanceId)
    if (instance === undefined) throw new Error(`There is no ${instanceId}.`)
    const { nodeId, kind, name, parentInstanceId } = instance
    const payload = { nodeId, kind, name, instanceId, input, ...(parentInstanceId === undefined ? {} : { parentInstanceId }) }
    foldEnvelope(picture, createEnvelope('node.started', payload, { runId: RUN_ID, seq, ts: instance.startedAt }))
    seq += 1
  }
  return picture
}

const matched = async (change: Partial<BreakpointDraft>) => {
  const draft = { ...EMPTY_DRAFT, ...change }
  return wouldMatch(run(), draft, await checkDraft(draft))
}

describe('what a breakpoint would have matched', () => {
  it.each<[Partial<BreakpointDraft>, readonly string[]]>([
    [{}, ['a1', 'search1', 'search2', 'sell1']],
    [{ kinds: ['tool'], name: 'se*' }, ['search1', 'search2', 'sell1']],
    [{ name: '/^SEA/i' }, ['search1', 'search2']],
    [{ name: 's?ll' }, ['sell1']],
    [{ name: 'search', hits: '2' }, ['search2']],
    [{ point: 'error' }, ['sell1']],
    [{ kinds: ['tool'], once: true }, ['search1']],
    [{ where: 'input.q == "Rome"' }, ['search2']],
    [{ where: 'input.amount > 10 || input.user.id == 7', kinds: ['tool'] }, ['search1', 'sell1']],
    [{ where: 'name == "search" && input.q.startsWith("O")' }, ['search1']],
    [{ where: 'error.message != ""', point: 'error' }, ['sell1']],
    [{ where: 'output.x == 1' }, []],
  ])('%j: %j', async (change, ids) => {
    expect([...(await matched(change)).ids].sort()).toEqual([...ids].sort())
  })

  it('counts the calls that a condition can’t be asked of, with the reason', async () => {
    const { ids, failed, lastError } = await matched({ name: 'search', where: 'input.q > 3' })
    expect([ids.size, failed]).toEqual([0, 2])
    expect(lastError).toMatch(/overload|operator/i)
  })
})

it('reads a name and a condition as the agent would, and says what is wrong with them', async () => {
  const check = await checkDraft({ name: '/(/', where: 'input.q ==' })
  expect(problemOf(check.name)).toContain('pattern')
  expect(problemOf(check.where)).toBeTruthy()
  expect(problemOf(UNCHECKED.where)).toBeUndefined()
})

describe('the completion of a condition', () => {
  const words = (...path: string[]) => whereWords(path, run(), { ...EMPTY_DRAFT, name: 'search' }, UNCHECKED).map(({ label }) => label)

  it('begins with what can be asked about', () => {
    expect(words()).toEqual(['input', 'output', 'usage', 'error', 'name', 'kind', 'duration'])
  })

  it('goes on with what this run has there, and what can be asked of texts and lists', () => {
    expect(words('input')).toEqual(expect.arrayContaining(['q', 'user', 'tags']))
    expect(words('input', 'user')).toEqual(['id'])
    expect(words('input', 'q')).toContain('startsWith(')
    expect(words('input', 'tags')).toContain('exists(item, ')
    expect(words('input', 'nothing')).toEqual([])
  })
})
