import { expect, it } from 'vitest'
import { readSentSpan, spanEventsOf } from './read-sent-span.ts'

const attribute = (key: string, value: object) => ({ key, value })

it('reads the events of a span with plain attributes, in order, and how many are missing', () => {
  const span = {
    events: [
      { timeUnixNano: '1700000000002500000', name: 'later', attributes: [] },
      {
        timeUnixNano: '1700000000001000000',
        name: 'gen_ai.choice',
        attributes: [
          attribute('index', { intValue: '3' }),
          attribute('id', { intValue: '9223372036854775807' }),
          attribute('score', { doubleValue: 0.5 }),
          attribute('final', { boolValue: false }),
          attribute('stops', { arrayValue: { values: [{ stringValue: 'Lisbon' }, {}] } }),
          attribute('message', { kvlistValue: { values: [attribute('role', { stringValue: 'assistant' })] } }),
        ],
      },
    ],
    droppedEventsCount: 2,
  }
  const { events, dropped } = spanEventsOf(readSentSpan({ span, reading: null })?.span)
  expect(events).toEqual([
    {
      at: 1_700_000_000_001,
      name: 'gen_ai.choice',
      attributes: {
        index: 3,
        id: '9223372036854775807',
        score: 0.5,
        final: false,
        stops: ['Lisbon', null],
        message: { role: 'assistant' },
      },
    },
    { at: 1_700_000_000_002.5, name: 'later', attributes: {} },
  ])
  expect(dropped).toBe(2)
})

it.each([undefined, {}, { events: 'none' }, { events: [null, { name: 'no time' }, { timeUnixNano: 'soon' }] }])(
  'finds no event in %j',
  (span) => {
    expect(spanEventsOf(span)).toEqual({ events: [], dropped: 0 })
  },
)

it('takes no answer that is not an object, and a call without a span as such', () => {
  expect(readSentSpan('no')).toBeUndefined()
  expect(readSentSpan({ span: null, reading: null })).toEqual({ span: undefined, reading: undefined })
})
