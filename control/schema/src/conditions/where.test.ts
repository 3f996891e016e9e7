import { describe, expect, it } from 'vitest'
import type { ConditionFacts } from './condition.ts'
import { compileWhere } from './where.ts'

class Money {
  readonly amount = 7
}

const facts: ConditionFacts = {
  name: 'wire_money',
  kind: 'tool',
  input: { amount: 250, to: 'Anna', tags: ['vip', 'eu'], note: null, rates: [1, 2, 3], price: new Money(), nested: { deep: { is: true } } },
  usage: { inputTokens: 120, outputTokens: 40 },
  duration: 31.5,
  error: { name: 'RangeError', message: 'rate out of range' },
}

/** As a value is recorded. */
const plain = (value: unknown) => JSON.parse(JSON.stringify(value)) as unknown

async function ask(source: string, about: ConditionFacts = facts) {
  const compiled = await compileWhere(source, plain)
  return compiled.ok ? compiled.test(about) : { problem: compiled.problem }
}

describe('a where condition', () => {
  it.each<[string, boolean]>([
    ['input.amount > 100', true],
    ['input.amount > 300', false],
    ['input.amount * 2 > 400 && input.amount % 2 == 0', true],
    ['input.amount / 4 < 63.5', true],
    ['name == "wire_money" && kind == "tool"', true],
    ['input.to.startsWith("An") || input.to == "Bob"', true],
    ['"vip" in input.tags', true],
    ['input.tags.exists(tag, tag.contains("u"))', true],
    ['size(input.rates) >= 3', true],
    ['input.note == null', true],
    ['input.price.amount == 7', true],
    ['input.nested.deep.is', true],
    ['usage.inputTokens + usage.outputTokens > 100', true],
    ['duration > 30', true],
    ['error.name == "RangeError" && error.message.matches("out of .*")', true],
    ['input.to . matches ( "^b" )', false],
    ['has(input.amount) && !has(input.currency)', true],
  ])('%s is %s', async (source, holds) => {
    expect(await ask(source)).toEqual({ holds })
  })

  it.each([
    'output.total > 5',
    'input.currency == "EUR"',
    '!(input.currency == "EUR")',
    'input.rates[9] == 1',
    'output != null',
    'input.constructor == 1',
  ])('about what is not there is false: %s', async (source) => {
    expect(await ask(source)).toEqual({ holds: false })
  })

  it('about what is not there may still hold by its other side', async () => {
    expect(await ask('input.currency == "EUR" || input.amount > 100')).toEqual({ holds: true })
  })

  it.each([
    ['input.to > 3', 'no such overload'],
    ['input.amount', 'true or false'],
    ['input.to.matches("(")', 'pattern'],
    ['input.to.matches("(?=a)b")', 'Look-around'],
  ])('that can’t be asked says why and holds nothing: %s', async (source, words) => {
    expect(await ask(source)).toEqual({ error: expect.stringContaining(words) })
  })

  it.each([
    ['input.amount >', 'stops in the middle'],
    ['input.', 'stops in the middle'],
    ['(input.amount', 'stops in the middle'],
    ['input.amount > > 1', 'Unexpected token'],
    ['amount > 3', 'Unknown variable: amount'],
    ['name > 3', 'no such overload'],
    ['"yes"', 'true or false'],
    ['process.exit(1)', ''],
    ['input.a.all(x, input.a.all(y, input.a.all(z, x + y + z > 0)))', 'loops'],
    [`${'1 == 1 && '.repeat(300)}true`, ''],
  ])('that can’t be read says why: %s', async (source, words) => {
    expect(await ask(source)).toEqual({ problem: expect.stringContaining(words) })
  })

  it('takes time linear in the text for any pattern', async () => {
    const long: ConditionFacts = { ...facts, input: { text: `${'a'.repeat(50_000)}!` } }
    expect(await ask('input.text.matches("^(a+)+$")', long)).toEqual({ holds: false })
  })

  it('never runs a getter that throws into the program', async () => {
    const input = {
      get amount(): number {
        throw new Error('host')
      },
    }
    expect(await ask('input.amount > 3', { ...facts, input })).toEqual({ error: expect.any(String) })
  })
})
