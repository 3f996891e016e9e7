import { describe, expect, it } from 'vitest'
import { runFromText } from '../testing/run-from-text.ts'
import { waiters } from './pauses.ts'
import { repeatCaution, toolDefinition } from './tool-definition.ts'

const schema = { type: 'object', properties: { nights: { type: 'integer' } } }

function heldWith(tools: unknown, line = 'tool book 30- waits:40 at:error') {
  const { picture } = runFromText(`llm draft 0-20\n${line}`, { draft1: { input: { messages: [], tools } } })
  const [pause] = waiters(picture)
  if (pause === undefined) throw new Error('Nothing is held in the pictured run.')
  return { pause, picture, definition: toolDefinition(pause, picture) }
}

describe('the definition of a held tool', () => {
  it.each([
    ['the GenAI conventions', { type: 'function', name: 'book', parameters: schema }],
    ['the OpenAI form', { type: 'function', function: { name: 'book', parameters: schema } }],
    ['the Anthropic form', { name: 'book', input_schema: schema }],
    ['the AI SDK and MCP', { name: 'book', inputSchema: schema }],
    ['Bedrock', { toolSpec: { name: 'book', inputSchema: { json: schema } } }],
  ])('is found in a model call’s input as %s writes it', (_, tool) => {
    expect(heldWith([{ name: 'other' }, tool]).definition).toEqual({ input: schema, repeatable: false })
  })

  it('is found in a list that a server gave, the last one counting', () => {
    const { picture } = runFromText('custom list 0-5\ncustom list 6-9\ntool book 30- waits:40', {
      list1: { output: { tools: [{ name: 'book', inputSchema: {} }] } },
      list2: { output: { tools: [{ name: 'book', inputSchema: schema, annotations: { idempotentHint: true } }] } },
    })
    const [pause] = waiters(picture)
    expect(pause && toolDefinition(pause, picture)).toEqual({ input: schema, repeatable: true })
  })

  it('is unknown where nobody named the tool, where its list was cut, and for what is no tool', () => {
    expect(heldWith([{ name: 'other' }, 'book']).definition).toBeUndefined()
    expect(heldWith('[… 12 kB]').definition).toBeUndefined()
    expect(heldWith([{ name: 'book' }], 'llm book 30- waits:40').definition).toBeUndefined()
  })
})

describe('the caution before a call is run again', () => {
  const caution = (annotations: object, line?: string) => {
    const { pause, picture } = heldWith([{ name: 'book', inputSchema: schema, annotations }], line)
    return repeatCaution(pause, picture)
  }

  it('is there for a tool that is not known to be repeatable', () => {
    expect(caution({})).toMatch(/a second time/)
    expect(caution({ readOnlyHint: false, idempotentHint: false })).toMatch(/a second time/)
    expect(caution({}, 'tool book 30- waits:40 at:after')).toMatch(/a second time/)
  })

  it('is not there for one that is, before it ran, and for a model', () => {
    expect(caution({ readOnlyHint: true })).toBeUndefined()
    expect(caution({ idempotentHint: true })).toBeUndefined()
    expect(caution({}, 'tool book 30- waits:40')).toBeUndefined()
    expect(caution({}, 'llm book 30- waits:40 at:error')).toBeUndefined()
  })
})
