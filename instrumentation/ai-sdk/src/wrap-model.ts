import {
  type AdaptedSpan,
  type Adapter,
  generated,
  isModelStream,
  type ModelVersion,
  modelEndOf,
  observeStream,
  shownAnswer,
  streamed,
  type TokenSink,
  type WatchPart,
} from '@graphmind-ai/otel/adapter'
import { chatAttributes, resultAttributes } from './chat-attributes.ts'
import { checkModelInput, editablePart, withEdit } from './model-input.ts'
import { patientSignal } from './signals.ts'
import { StreamedAnswer } from './streamed-answer.ts'
import { isRecord } from './wrap-tools.ts'

const ALL = ['continue', 'retry', 'inject', 'abort'] as const
const BEFORE = ['continue', 'inject', 'abort'] as const
const VERSIONS: Readonly<Record<string, ModelVersion>> = { v2: 2, v3: 3, v4: 4 }

type Options = Readonly<Record<string, unknown>>
type Call = (options: Options) => Promise<unknown>

/** Wraps a language model of `ai` 5 to 7. Anything else (a model's name, a model of another generation) is handed back as it is. */
export function wrapModel<Model>(model: Model, adapter: Adapter): Model {
  if (typeof model !== 'object' || model === null || !('specificationVersion' in model)) return model
  const version = VERSIONS[String(model.specificationVersion)]
  const { doGenerate, doStream } = model as { doGenerate?: unknown; doStream?: unknown }
  if (version === undefined || typeof doGenerate !== 'function' || typeof doStream !== 'function') return model
  const { modelId, provider } = model as { modelId?: unknown; provider?: unknown }
  const about = { version, modelId: String(modelId), provider: String(provider) }
  const generate: Call = async (options) => (await Reflect.apply(doGenerate, model, [options])) as unknown
  const stream: Call = async (options) => (await Reflect.apply(doStream, model, [options])) as unknown
  const added = {
    doGenerate: (options: Options) => callModel(adapter, about, options, generate),
    doStream: (options: Options) => streamModel(adapter, about, options, stream),
  }
  // The model's own getters and private fields must see the model itself.
  const wrapped = new Proxy(model, {
    get(target, key) {
      if (key === 'doGenerate' || key === 'doStream') return added[key]
      const value: unknown = Reflect.get(target, key, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  adapter.adapt(wrapped, { kind: 'llm', name: about.modelId, provider: about.provider })
  return wrapped
}

interface About {
  readonly version: ModelVersion
  readonly modelId: string
  readonly provider: string
}

function callModel(adapter: Adapter, about: About, given: Options, generate: Call): Promise<unknown> {
  let options = given
  return adapter.call<unknown>({
    kind: 'llm',
    spanName: `chat ${about.modelId}`,
    attributes: chatAttributes(about, given),
    actions: { before: BEFORE, after: ALL, error: ALL },
    inject: (output) => generated(output, about.version, about.modelId),
    outputOf: (result) => (isRecord(result) && Array.isArray(result['content']) ? shownAnswer(result['content']) : result),
    modelEndOf,
    edit: {
      subject: editablePart(given),
      validate: checkModelInput,
      apply(edited) {
        options = withEdit(given, edited)
      },
    },
    describe: (result) => (isRecord(result) ? resultAttributes(result) : {}),
    run: () => generate(withSignal(options, adapter)),
  })
}

function streamModel(adapter: Adapter, about: About, given: Options, stream: Call): Promise<unknown> {
  let options = given
  return adapter.call<unknown>({
    kind: 'llm',
    goesOn: true,
    spanName: `chat ${about.modelId}`,
    attributes: chatAttributes(about, given),
    actions: { before: BEFORE, error: ALL },
    inject: (output) => streamed(output, about.version),
    edit: {
      subject: editablePart(given),
      validate: checkModelInput,
      apply(edited) {
        options = withEdit(given, edited)
      },
    },
    run: async (span) => watch(await stream(withSignal(options, adapter)), span),
  })
}

/** The stream itself, part for part; what it says is read on the way. */
function watch(result: unknown, span: AdaptedSpan): unknown {
  if (!isModelStream(result)) {
    span.end({})
    return result
  }
  const answer = new StreamedAnswer()
  const { tokens } = span
  let isOver = false
  const sink: TokenSink = {
    push(channel, text) {
      if (channel === 'text') answer.text(text)
      tokens.push(channel, text)
    },
    end({ part, error } = {}) {
      tokens.end()
      if (part !== undefined) answer.part(part)
      if (!isOver) span.end(resultAttributes(answer.result()), error)
      isOver = true
    },
  }
  const look: WatchPart = (part) => {
    answer.part(part)
    return span.watch(part)
  }
  return { ...result, stream: observeStream(result.stream, sink, look) }
}

function withSignal(options: Options, adapter: Adapter): Options {
  const abortSignal = patientSignal(options['abortSignal'], adapter)
  return abortSignal === undefined ? options : { ...options, abortSignal }
}
