import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import type { Span } from '@opentelemetry/api'
import { isLiveSpan } from '../live-span.ts'
import type { GateSite } from './gate-site.ts'
import type { CallShape } from './held-call.ts'

/** The tracer name of AI SDK 4 to 6. All its spans run awaited work. */
const SCOPE = 'ai'

export function isAiSdkScope(scope: string): boolean {
  return scope === SCOPE
}

/** How a span of AI SDK 4 to 6 is answered; `parent` is the span around it (span-dialects 7, read in the packages' code). */
export function aiSdkShape(site: GateSite, parent: Span | undefined): CallShape<unknown> {
  if (site.kind === 'llm') return isStream(site.span) ? MODEL_STREAM : MODEL_CALL
  const major = majorOf(parent)
  if (major >= 6) return resultShape(site)
  if (isLiveSpan(parent) && isStream(parent)) return STREAMED_TOOL
  return major === 5 ? resultShape(site) : BARE_TOOL
}

const ALL = ['continue', 'retry', 'inject', 'abort'] as const
const NO_INJECT = ['continue', 'retry', 'abort'] as const

// The stream is only beginning when the call's function returns, so there is nothing to hold after it.
const MODEL_STREAM: CallShape<unknown> = { actions: { before: ['continue', 'abort'], error: NO_INJECT }, inject: (output) => output }
const MODEL_CALL: CallShape<unknown> = { ...MODEL_STREAM, actions: { ...MODEL_STREAM.actions, after: NO_INJECT } }
// The tool's value is sent on inside the function and nobody catches what it throws: skipping it hangs the host, throwing kills it.
const STREAMED_TOOL: CallShape<unknown> = { actions: { before: ['continue'] }, inject: (output) => output }
const BARE_TOOL: CallShape<unknown> = {
  actions: { before: ['continue', 'inject', 'abort'], after: ALL, error: ALL },
  inject: (output) => output,
}

// From version 5 on a tool's function returns a part of the answer, also when the tool fails.
function resultShape(site: GateSite): CallShape<unknown> {
  return {
    actions: { before: ['continue', 'inject', 'abort'], after: ALL, error: ALL },
    failureOf: (result) => (isRecord(result) && result['type'] === 'tool-error' ? { error: result['error'] } : undefined),
    outputOf: (result) => (isRecord(result) && result['type'] === 'tool-result' ? result['output'] : result),
    inject(output, result) {
      if (!isRecord(result)) {
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
  if (isLiveSpan(parent)) {
    const agent = parent.attributes['ai.request.headers.user-agent']
    const named = typeof agent === 'string' ? /\bai\/(\d+)\./.exec(agent)?.[1] : undefined
    if (named !== undefined) return Number(named)
    if ('ai.settings.maxSteps' in parent.attributes) return 4
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
    return isRecord(found) && typeof found['version'] === 'string' ? Number.parseInt(found['version'], 10) : 5
  } catch {
    return 5 // Bundled: the version that can least.
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
