import { context, trace } from '@opentelemetry/api'
import { dropOldest } from '../drop-oldest.ts'
import { liveSpanOf } from '../live-span.ts'
import { expectAdapter, isAdaptedTool, mayBeAdapted } from './adapted.ts'
import { MODEL_CALL, MODEL_STREAM, UNKNOWN_MODEL_CALL } from './ai-sdk-7-model.ts'
import { isClaimed } from './claim.ts'
import { checkAgainst, type EditedInputs, isReplaceable, replaceContents } from './edit-input.ts'
import { type GateSite, gateSiteOf } from './gate-site.ts'
import type { Gates } from './gates.ts'
import { type CallShape, holdCall, holdUnlessAdapted } from './held-call.ts'
import { isModelStream, observeStream, streamGates } from './model-stream.ts'
import { announceAwaited } from './span-origin.ts'
import type { TokenFeed } from './token-feed.ts'

/** What `ai` hands to `executeTool` and `executeLanguageModelCall`; a part, and only what we read. */
interface CallOptions {
  readonly callId: string
  readonly toolCallId?: string
  readonly toolCall?: { readonly toolName?: string; readonly input?: unknown }
  readonly recordInputs?: boolean | undefined
  readonly recordOutputs?: boolean | undefined
  readonly execute: () => PromiseLike<unknown>
}

interface ToolEndEvent {
  readonly callId: string
  readonly toolCall: { readonly toolCallId: string }
  readonly toolOutput: { readonly type: string; output?: unknown }
}

interface StartEvent {
  readonly callId: string
  readonly operationId: string
  readonly tools?: Readonly<Record<string, { readonly inputSchema?: unknown } | undefined>> | undefined
}

const MAX_OPEN_CALLS = 1000

/**
 * A `Telemetry` integration of AI SDK 7 that holds tools and model calls and watches model streams. AI SDK 6 has the same list, and takes
 * edited tool inputs from here.
 */
export class AiSdk7Hook {
  readonly #gates: Gates
  readonly #tokens: TokenFeed
  readonly #edits: EditedInputs
  /** What is going on: operation (`ai.streamText` …) and tools of each open call. */
  readonly #open = new Map<string, Omit<StartEvent, 'callId'>>()
  /** Tool calls between our wrapper and their end, with the value to put into their result if there is one. */
  readonly #tools = new Map<string, { readonly site: GateSite; readonly canInject: boolean; injected?: { readonly output: unknown } }>()

  constructor(gates: Gates, tokens: TokenFeed, edits: EditedInputs) {
    this.#gates = gates
    this.#tokens = tokens
    this.#edits = edits
  }

  onStart({ callId, operationId, tools }: StartEvent): void {
    this.#open.set(callId, { operationId, tools })
    dropOldest(this.#open, MAX_OPEN_CALLS)
  }

  onEnd(event: { readonly callId: string }): void {
    this.#open.delete(event.callId)
  }

  onAbort(event: { readonly callId: string }): void {
    this.#open.delete(event.callId)
  }

  onError(event: unknown): void {
    if (typeof event === 'object' && event !== null && 'callId' in event) this.#open.delete(String(event.callId))
  }

  // The integrations after us start their spans in this same tick.
  onLanguageModelCallStart(): void {
    announceAwaited()
  }

  onToolExecutionStart(): void {
    announceAwaited()
  }

  /** AI SDK 6, inside the span of the tool and before it runs. It calls its listeners without their object. */
  readonly onToolCallStart = (event: { readonly toolCall?: { readonly input?: unknown } }): void => {
    const spanId = trace.getActiveSpan()?.spanContext().spanId
    const edit = spanId === undefined ? undefined : this.#edits.take(spanId)
    if (edit !== undefined) replaceContents(event.toolCall?.input, edit.input)
  }

  /**
   * The result object is the one the model gets, so an injected value is put into it here: what `executeTool` returns is ignored. Only
   * here a good result is known, so the after gate is here too, awaited like every callback. What a callback throws is swallowed: after
   * an abort it is the next model call that throws.
   */
  async onToolExecutionEnd({ callId, toolCall, toolOutput }: ToolEndEvent): Promise<void> {
    const key = keyOf(callId, toolCall.toolCallId)
    const call = this.#tools.get(key)
    this.#tools.delete(key)
    if (call === undefined || toolOutput.type !== 'tool-result') return
    if (call.injected !== undefined) {
      toolOutput.output = call.injected.output
      return
    }
    const actions = call.canInject ? AFTER_TOOL : AFTER_TOOL_WITHOUT_INJECT
    const verdict = await this.#gates.wait('after', call.site, { actions, output: toolOutput.output })
    if (verdict.action !== 'inject') return
    toolOutput.output = verdict.output
    this.#gates.mark(call.site, { injected: true })
  }

  /**
   * Called as the innermost wrapper, because the first integration of the list wraps first: so the span that @ai-sdk/otel started for
   * this tool is the active one.
   */
  executeTool(options: CallOptions): PromiseLike<unknown> {
    if (!this.#gates.armed) return options.execute()
    const site = siteOfActiveSpan('tool')
    if (site === undefined || site.toolCallId !== options.toolCallId || isClaimed(site)) return options.execute()
    const tool = this.#toolOf(options)
    if (tool === undefined ? mayBeAdapted(site) : isAdaptedTool(tool)) return options.execute()
    // With recording off the end event carries copies, and a value put into a copy reaches nobody.
    const canInject = options.recordInputs !== false && options.recordOutputs !== false
    const call = { site, canInject }
    this.#tools.set(keyOf(options.callId, options.toolCallId), call)
    dropOldest(this.#tools, MAX_OPEN_CALLS)
    const shape: CallShape<unknown> = {
      actions: canInject ? TOOL_ACTIONS : TOOL_ACTIONS_WITHOUT_INJECT,
      inject: (output) => Object.assign(call, { injected: { output } }),
      edit: this.#editOf(options),
    }
    return this.#hold(site, shape, options.execute)
  }

  /** The tool itself, as the program gave it to the SDK. */
  #toolOf({ callId, toolCall }: CallOptions) {
    return this.#open.get(callId)?.tools?.[toolCall?.toolName ?? '']
  }

  #editOf(options: CallOptions): CallShape<unknown>['edit'] {
    const input = options.toolCall?.input
    if (options.recordInputs === false || !isReplaceable(input)) return undefined
    return { apply: (edited) => replaceContents(input, edited), validate: checkAgainst(this.#toolOf(options)?.inputSchema) }
  }

  executeLanguageModelCall(options: CallOptions): PromiseLike<unknown> {
    const span = trace.getActiveSpan()
    if (span === undefined || liveSpanOf(span) === undefined) return options.execute()
    const site = this.#gates.armed ? siteOfActiveSpan('llm') : undefined
    const adapter = site !== undefined && mayBeAdapted(site) ? expectAdapter(site) : undefined
    const run = async () => {
      const result = await (adapter === undefined ? options.execute() : adapter.run(() => options.execute()))
      if (adapter?.arrived === true) return result
      return isModelStream(result)
        ? { ...result, stream: observeStream(result.stream, this.#tokens.open(span), streamGates(this.#gates, site)) }
        : result
    }
    if (site === undefined || isClaimed(site)) return run()
    return this.#hold(site, SHAPES[this.#open.get(options.callId)?.operationId ?? ''] ?? UNKNOWN_MODEL_CALL, run, adapter !== undefined)
  }

  #hold(site: GateSite, shape: CallShape<unknown>, run: () => PromiseLike<unknown>, isLeft = false): Promise<unknown> {
    const active = context.active()
    const hold = isLeft ? holdUnlessAdapted : holdCall
    // The framework's span goes on through all tries and is ended by the framework.
    return hold(this.#gates, () => ({ ...shape, site, run: () => context.with(active, run), skipped: () => undefined }))
  }
}

const TOOL_ACTIONS: CallShape<unknown>['actions'] = {
  before: ['continue', 'inject', 'abort'],
  error: ['continue', 'retry', 'inject', 'abort'],
}
const TOOL_ACTIONS_WITHOUT_INJECT: CallShape<unknown>['actions'] = { before: ['continue', 'abort'], error: ['continue', 'retry', 'abort'] }
const AFTER_TOOL = ['continue', 'inject', 'abort'] as const
const AFTER_TOOL_WITHOUT_INJECT = ['continue', 'abort'] as const
const SHAPES: Readonly<Record<string, CallShape<unknown>>> = { 'ai.generateText': MODEL_CALL, 'ai.streamText': MODEL_STREAM }

function keyOf(callId: string, toolCallId: string | undefined): string {
  return `${callId} ${toolCallId}`
}

function siteOfActiveSpan(kind: GateSite['kind']): GateSite | undefined {
  const site = gateSiteOf(trace.getActiveSpan())
  return site?.kind === kind ? site : undefined
}
