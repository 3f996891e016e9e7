import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import type { Span } from '@opentelemetry/api'
import { liveSpanOf } from '../live-span.ts'
import type { GateSite } from './gate-site.ts'
import type { GatingParts, SpanShape } from './gating-tracer.ts'
import { generated, isPart, type ModelVersion, shownAnswer, streamed } from './model-answer.ts'
import { modelEndOf } from './model-end.ts'
import { isModelStream, observeStream, streamGates } from './model-stream.ts'

/** The tracer name of AI SDK 4 to 6. All its spans run awaited work. */
const SCOPE = 'ai'

export function isAiSdkScope(scope: string): boolean {
  return scope === SCOPE
}

/** How a span of AI SDK 4 to 6 is answered; `parent` is the span around it (span-dialects 7, read in the packages' code). */
export function aiSdkShape(site: GateSite, span: Span, parent: Span | undefined, parts: GatingParts): SpanShape {
  const major = majorOf(parent)
  if (site.kind === 'llm') return modelShape(site, span, parts, MODEL_VERSIONS[major] ?? 3)
  if (major >= 6) return resultShape(site, parts)
  const around = liveSpanOf(parent)
  if (around !== undefined && isStream(around)) return STREAMED_TOOL
  return major === 5 ? resultShape(site) : BARE_TOOL
}

/** The generation of model interface that a major version of the SDK speaks. */
const MODEL_VERSIONS: Readonly<Record<number, ModelVersion>> = { 4: 1, 5: 2, 6: 3 }

const ALL = ['continue', 'retry', 'inject', 'abort'] as const
const NO_INJECT = ['continue', 'retry', 'abort'] as const
const BEFORE = ['continue', 'inject', 'abort'] as const

// The tool's value is sent on inside the function and nobody catches what it throws: skipping it hangs the host, throwing kills it.
const STREAMED_TOOL: SpanShape = { actions: { before: ['continue'] }, inject: (output) => output }
const BARE_TOOL: SpanShape = { actions: { before: BEFORE, after: ALL, error: ALL }, inject: (output) => output }
/** A call whose answer only its author knows: objects, embeddings. */
const OTHER_MODEL_CALL: SpanShape = {
  actions: { before: ['continue', 'abort'], after: NO_INJECT, error: NO_INJECT },
  inject: (output) => output,
}
// The stream is only beginning when the call's function returns, so nothing can be held after it.
const OTHER_MODEL_STREAM: SpanShape = { ...OTHER_MODEL_CALL, actions: { before: ['continue', 'abort'], error: NO_INJECT } }

function modelShape(site: GateSite, span: Span, parts: GatingParts, version: ModelVersion): SpanShape {
  const modelId = site.span.attributes['ai.model.id']
  switch (site.span.attributes['ai.operationId']) {
    case 'ai.generateText.doGenerate':
      return {
        actions: { before: BEFORE, after: ALL, error: ALL },
        outputOf: (result) => (isPart(result) && Array.isArray(result['content']) ? shownAnswer(result['content']) : result),
        modelEndOf,
        inject: (output) => generated(output, version, modelId),
      }
    case 'ai.streamText.doStream':
      return {
        actions: { before: BEFORE, error: ALL },
        passOn: (result) => watchStream(result, site, span, parts),
        // The SDK writes to this span while it reads the stream, and ends it after the last part.
        endsSpan: true,
        inject: (output) => ({ startTimestampMs: performance.now(), doStreamSpan: span, result: streamed(output, version) }),
      }
    default:
      return isStream(site.span) ? OTHER_MODEL_STREAM : OTHER_MODEL_CALL
  }
}

function watchStream(result: unknown, site: GateSite, span: Span, { gates, tokens }: GatingParts): unknown {
  if (!isPart(result) || !isModelStream(result['result'])) return result
  const stream = observeStream(result['result'].stream, tokens.open(span), streamGates(gates, site))
  return { ...result, result: { ...result['result'], stream } }
}

// From version 5 on a tool's function returns a part of the answer, also when the tool fails.
// Its input can be edited where the SDK asks its integrations before the tool runs: in version 6.
function resultShape(site: GateSite, parts?: GatingParts): SpanShape {
  return {
    edit: parts && isPart(site.input) ? { apply: (input) => parts.edits.put(site.instanceId, input) } : undefined,
    actions: { before: BEFORE, after: ALL, error: ALL },
    failureOf: (result) => (isPart(result) && result['type'] === 'tool-error' ? { error: result['error'] } : undefined),
    outputOf: (result) => (isPart(result) && result['type'] === 'tool-result' ? result['output'] : result),
    inject(output, result) {
      if (!isPart(result)) {
        const toolName = site.span.attributes['ai.toolCall.name'] ?? site.name
        return { type: 'tool-result', toolCallId: site.toolCallId, toolName, input: site.input, output, dynamic: false }
      }
      const { error: _, ...part } = result
      return { ...part, type: 'tool-result', output }
    },
  }
}

function isStream(span: { readonly attributes: Readonly<Record<string, unknown>> }): boolean {
  const operation = span.attributes['ai.operationId']
  return typeof operation === 'string' && operation.includes('stream')
}

// Every root but a stream's says which version it is; else the installed package does.
function majorOf(parent: Span | undefined): number {
  const around = liveSpanOf(parent)
  if (around !== undefined) {
    const agent = around.attributes['ai.request.headers.user-agent']
    const named = typeof agent === 'string' ? /\bai\/(\d+)\./.exec(agent)?.[1] : undefined
    if (named !== undefined) return Number(named)
    if ('ai.settings.maxSteps' in around.attributes) return 4
  }
  installedMajor ??= readInstalledMajor()
  return installedMajor
}

let installedMajor: number | undefined

function readInstalledMajor(): number {
  const main = process.argv[1]
  const from = main === undefined ? `${process.cwd()}/` : main
  try {
    const found: unknown = createRequire(pathToFileURL(from))('ai/package.json')
    return isPart(found) && typeof found['version'] === 'string' ? Number.parseInt(found['version'], 10) : 5
  } catch {
    return 5 // Bundled: the version that can least.
  }
}
