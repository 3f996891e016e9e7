import { trace } from '@opentelemetry/api'
import { afterEach, expect, it } from 'vitest'
import { type Program, startProgram } from './testing/program.ts'

let program: Program
afterEach(async () => await program.stop())

const TOOL = {
  'gen_ai.operation.name': 'execute_tool',
  'gen_ai.tool.name': 'search',
  'gen_ai.tool.call.arguments': '{"secret":1}',
  'my.own.key': 'secret',
}
const CHAT = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'm', 'gen_ai.input.messages': '[{"secret":1}]' }

it.each(['GRAPHMIND_HIDE_INPUTS', 'GRAPHMIND_HIDE_OUTPUTS'])('lets only metadata out under %s', async (name) => {
  program = await startProgram({ env: { [name]: '1' } })
  const span = trace.getTracer('app').startSpan('search', { attributes: TOOL })
  span.addEvent('note', { 'my.own.key': 'secret' })
  span.recordException(new Error('said aloud'))
  span.end()
  const end = await program.collector.span('search', 'end')
  expect(JSON.stringify(end, (_key, value) => (typeof value === 'bigint' ? String(value) : value))).not.toContain('secret"')
  expect(end.attributes).toMatchObject({
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': 'search',
    'graphmind.redaction.keys': ['gen_ai.tool.call.arguments', 'my.own.key'],
  })
  expect(end.events.map(({ name: event, attributes }) => [event, attributes['exception.message']])).toEqual([
    ['note', undefined],
    ['exception', 'said aloud'],
  ])
  expect((await program.collector.viewer.event('hello')).payload.hide).toHaveLength(1)
})

it.each([{ hideToolArgs: true }, { hideToolResults: true }])('fences tool spans only under %j', async (options) => {
  program = await startProgram(options)
  trace.getTracer('app').startSpan('search', { attributes: TOOL }).end()
  trace.getTracer('app').startSpan('chat', { attributes: CHAT }).end()
  expect((await program.collector.span('search', 'end')).attributes).not.toHaveProperty(['gen_ai.tool.call.arguments'])
  expect((await program.collector.span('chat', 'end')).attributes).toMatchObject(CHAT)
})
