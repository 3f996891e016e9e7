import { expect, it } from 'vitest'
import * as schema from './index.ts'

// Literals, not imports: what a peer or an importer can see changes only on purpose.

it('knows exactly these events', () => {
  expect(schema.EVENTS.map((message) => message.type)).toEqual([
    'hello',
    'run.started',
    'run.finished',
    'graph.hint',
    'node.started',
    'node.token',
    'node.finished',
    'node.error',
    'exec.paused',
    'exec.resumed',
    'exec.refused',
    'breakpoint.hit',
  ])
})

it('knows exactly these controls', () => {
  expect(schema.CONTROLS.map((message) => message.type)).toEqual([
    'hello.ack',
    'exec.resume',
    'breakpoint.set',
    'breakpoint.clear',
    'mode.set',
  ])
})

it('speaks protocol 1, and * for no run', () => {
  expect(schema.PROTOCOL_VERSION).toBe(1)
  expect(schema.WILDCARD_RUN_ID).toBe('*')
  expect(schema.REDACTED).toBe('__REDACTED__')
})

it('announces exactly these capabilities', () => {
  expect(schema.CAPABILITIES).toEqual(['pause', 'step', 'inject', 'retry', 'abort'])
  expect(schema.EXTRA_CAPABILITIES).toEqual(['run-claim', 'edit-input', 'bp-where', 'bp-hits', 'bp-log', 'bp-run', 'bp-once', 'bp-pattern'])
})

it('has exactly these words for kinds, points, actions and modes', () => {
  expect(schema.NODE_KINDS).toEqual(['agent', 'llm', 'tool', 'chain', 'retriever', 'server', 'resource', 'prompt', 'custom'])
  expect(schema.PAUSE_POINTS).toEqual(['before', 'after', 'error'])
  expect(schema.RESUME_ACTIONS).toEqual(['continue', 'retry', 'inject', 'abort'])
  expect(schema.RUN_MODES).toEqual(['run', 'step'])
})

it('exports exactly these names', () => {
  expect(Object.keys(schema).sort()).toEqual([
    'CAPABILITIES',
    'CONTROLS',
    'EVENTS',
    'EXTRA_CAPABILITIES',
    'IDENTITY_FIELDS',
    'MAX_ID_LENGTH',
    'MAX_QUERY_FILTERS',
    'MAX_QUERY_LENGTH',
    'MAX_TS',
    'NODE_KINDS',
    'PAUSE_POINTS',
    'PROTOCOL_VERSION',
    'QUERY_KEYS',
    'REDACTED',
    'RESUME_ACTIONS',
    'RUN_MODES',
    'RUN_SORT_COLUMNS',
    'Stretches',
    'TRUNCATED_SUFFIX',
    'WILDCARD_RUN_ID',
    'alignRuns',
    'breakpointId',
    'childrenOf',
    'completeQuery',
    'createEnvelope',
    'edgesOf',
    'emptyRun',
    'exportJsonSchema',
    'exportJsonSchemaString',
    'findForbiddenMarker',
    'foldEnvelope',
    'heldMsOf',
    'isPlainText',
    'isStorableId',
    'isTraceRunId',
    'matcherKey',
    'matchesGlob',
    'matchesRun',
    'nodePictureOf',
    'nodesOf',
    'parseEnvelope',
    'parseFrame',
    'parseHitCount',
    'parseQuery',
    'readDuration',
    'readRunSort',
    'readSheet',
    'reportsHits',
    'rootInstances',
    'runHeldMs',
    'runLinkOf',
    'runStateOf',
    'runUsage',
    'sameBreakpoint',
    'treeOf',
    'unknownFieldsOf',
    'workMsOf',
  ])
})
