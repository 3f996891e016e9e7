import { type Adapter, checkAgainst } from '@graphmind-ai/otel/adapter'
import { patientSignal } from './signals.ts'

const ALL = ['continue', 'retry', 'inject', 'abort'] as const

type Execute = (input: unknown, options: ToolOptions) => unknown
interface ToolOptions extends Readonly<Record<string, unknown>> {
  readonly toolCallId?: string
  readonly abortSignal?: AbortSignal
}

/** Copies a tool set so that every tool that runs here is held before, after and at errors; tools without `execute` are left alone. */
export function wrapTools<Tools>(tools: Tools, adapter: Adapter, named: (name: string) => void): Tools {
  if (!isRecord(tools)) return tools
  const wrapped = Object.entries(tools).map(([name, tool]) => {
    named(name)
    return [name, isRecord(tool) ? wrapTool(name, tool, adapter) : tool]
  })
  return Object.fromEntries(wrapped) as Tools
}

function wrapTool(name: string, tool: Readonly<Record<string, unknown>>, adapter: Adapter): unknown {
  const { execute } = tool
  if (typeof execute !== 'function') return tool
  const work: Execute = (input, options) => Reflect.apply(execute, tool, [input, options]) as unknown
  const validate = checkAgainst(tool['inputSchema'] ?? tool['parameters'])
  const adapted = <Wrapped extends object>(wrapped: Wrapped): Wrapped => {
    adapter.adapt(wrapped, { kind: 'tool', name })
    return wrapped
  }
  const call = (given: unknown, options: ToolOptions, run: (input: unknown, options: ToolOptions) => Promise<unknown>) => {
    let input = given
    return adapter.call<unknown>({
      kind: 'tool',
      spanName: `execute_tool ${name}`,
      attributes: toolAttributes(name, given, options),
      toolCallId: options.toolCallId,
      actions: isStreaming(execute)
        ? { before: ['continue', 'abort'] }
        : { before: ['continue', 'inject', 'abort'], after: ALL, error: ALL },
      inject: (output) => output,
      edit: {
        validate,
        subject: given,
        apply(edited) {
          input = edited
        },
      },
      describe: (output) => ({ 'gen_ai.tool.call.result': asJson(output) }),
      run: async () => await run(input, { ...options, ...signalOf(options, adapter) }),
    })
  }
  if (!isStreaming(execute)) {
    return adapted({
      ...tool,
      execute: (input: unknown, options: ToolOptions = {}) => call(input, options, async (...args) => await work(...args)),
    })
  }
  return adapted({
    ...tool,
    // The SDK knows such a tool by what `execute` returns, so its parts are passed on as they come and only its start can be held.
    async *execute(input: unknown, options: ToolOptions = {}) {
      const parts = await call(input, options, async (...args) => work(...args))
      yield* parts as AsyncIterable<unknown>
    },
  })
}

function signalOf(options: ToolOptions, adapter: Adapter): { readonly abortSignal?: AbortSignal } {
  const abortSignal = patientSignal(options.abortSignal, adapter)
  return abortSignal === undefined ? {} : { abortSignal }
}

function toolAttributes(name: string, input: unknown, { toolCallId }: ToolOptions) {
  return {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': name,
    'gen_ai.tool.type': 'function',
    'gen_ai.tool.call.arguments': asJson(input),
    ...(toolCallId === undefined ? {} : { 'gen_ai.tool.call.id': toolCallId }),
  }
}

function isStreaming(execute: unknown): boolean {
  return Object.prototype.toString.call(execute) === '[object AsyncGeneratorFunction]'
}

/** JSON, or a word about why there is none. */
export function asJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null'
  } catch {
    return '"[not serializable]"'
  }
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
