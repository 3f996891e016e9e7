import { describe, expect, it } from 'vitest'
import { readSheet } from './read-sheet.ts'

const at = { seq: 5, ts: 1000 }
const started = { nodeId: 'tool:a', kind: 'tool', name: 'a' }
const shape = [
  'node.started',
  ['input', ['nodeId', 'tool:a'], ['kind', 'tool'], ['name', 'a'], ['instanceId'], ['spanId', null, 'instanceId']],
]

describe('a sheet', () => {
  it('is read like its events, each with what it has of its own and what all of its shape have', () => {
    const rows = [
      [0, 0, 'i-1'],
      [0, 7, 'i-2'],
    ]
    expect(readSheet('run', { ...at, shapes: [shape], rows, contents: [{ q: 1 }, null] })).toEqual([
      {
        gm: 1,
        seq: 5,
        ts: 1000,
        runId: 'run',
        type: 'node.started',
        payload: { input: { q: 1 }, ...started, instanceId: 'i-1', spanId: 'i-1' },
      },
      {
        gm: 1,
        seq: 6,
        ts: 1007,
        runId: 'run',
        type: 'node.started',
        payload: { input: null, ...started, instanceId: 'i-2', spanId: 'i-2' },
      },
    ])
  })

  it('names what went through the call where that was left out', () => {
    const [event] = readSheet('run', { ...at, shapes: [shape], rows: [[0, 0, 'i-1']] }) ?? []
    expect(event?.payload).toEqual({ ...started, instanceId: 'i-1', spanId: 'i-1', omitted: ['input'] })
  })

  it('keeps the order of fields, and a payload that stands whole', () => {
    const read = readSheet('run', {
      ...at,
      shapes: [shape, ['x.unknown']],
      rows: [
        [0, 0, 'i'],
        [1, 0, [7]],
      ],
      contents: [1],
    })
    expect(Object.keys(read?.[0]?.payload ?? {})).toEqual(['input', 'nodeId', 'kind', 'name', 'instanceId', 'spanId'])
    expect(read?.[1]?.payload).toEqual([7])
  })

  it('leaves out an event that does not fit, and reads the others', () => {
    const rows = [[0, 0, 7], [0, 0, 'i'], [9, 0], ['length', 0], [0, 1e300, 'i'], 'row', [0, 0, 'j']]
    const read = readSheet('run', { ...at, shapes: [shape, 'no shape', ['x', [['__proto__', 1]]]], rows, contents: [1, 2, 3] })
    expect(read?.map((event) => event?.seq)).toEqual([undefined, 6, undefined, undefined, undefined, undefined, 11])
  })

  it.each([
    [{}],
    [{ ...at, shapes: {}, rows: [] }],
    [{ ...at, shapes: [] }],
    [{ ...at, seq: -1, shapes: [], rows: [] }],
    [{ ...at, ts: 'now', shapes: [], rows: [] }],
    [{ ...at, shapes: [], rows: [], contents: 'none' }],
  ])('is refused whole when it is none: %j', (value) => {
    expect(readSheet('run', value)).toBeUndefined()
  })
})
