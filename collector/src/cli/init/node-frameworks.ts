/** How a framework of Node gets its spans. */
export interface NodeFramework {
  readonly name: string
  readonly package: string
  /** Packages that have to be there beside @graphmind-ai/otel. */
  readonly needs: readonly string[]
  /** Lines of the file that is loaded before the program. */
  readonly setUp: readonly string[]
  /** What only the program's author can do. */
  readonly inCode?: string
}

const TELEMETRY_ON = 'Pass experimental_telemetry: { isEnabled: true } to every call of generateText, streamText and the like.'
const OPEN_INFERENCE = '@arizeai/openinference-instrumentation'

/** `version` is what the project asks for, such as `^6.0.0`. */
type Recipe = (version: string) => Omit<NodeFramework, 'package'>

/** By package; the first of a framework's packages speaks for it. */
const RECIPES: Readonly<Record<string, Recipe>> = {
  ai(version) {
    const major = majorOf(version)
    if (major === undefined || major >= 7) {
      return {
        name: 'AI SDK 7',
        needs: ['@ai-sdk/otel'],
        setUp: [
          "import { OpenTelemetry } from '@ai-sdk/otel'",
          "import { registerTelemetry } from 'ai'",
          'registerTelemetry(new OpenTelemetry())',
        ],
      }
    }
    return { name: `AI SDK ${major}`, needs: [], setUp: [], inCode: TELEMETRY_ON }
  },
  genkit: () => ({ name: 'Genkit', needs: [], setUp: [] }),
  '@traceloop/node-server-sdk': () => ({
    name: 'Traceloop (OpenLLMetry)',
    needs: [],
    setUp: [],
    inCode: "Give Traceloop the processor: initialize({ …, processor: new GraphMindSpanProcessor() }), from '@graphmind-ai/otel'.",
  }),
  '@langchain/core': () => ({
    name: 'LangChain / LangGraph',
    needs: [`${OPEN_INFERENCE}-langchain`],
    setUp: [
      `import { LangChainInstrumentation } from '${OPEN_INFERENCE}-langchain'`,
      "import * as callbacks from '@langchain/core/callbacks/manager'",
      'new LangChainInstrumentation().manuallyInstrument(callbacks)',
    ],
  }),
  openai: () => ({
    name: 'OpenAI client',
    needs: [`${OPEN_INFERENCE}-openai`],
    setUp: [
      `import { OpenAIInstrumentation } from '${OPEN_INFERENCE}-openai'`,
      "import OpenAI from 'openai'",
      'new OpenAIInstrumentation().manuallyInstrument(OpenAI)',
    ],
  }),
  '@anthropic-ai/sdk': () => ({
    name: 'Anthropic client',
    needs: [`${OPEN_INFERENCE}-anthropic`],
    setUp: [
      `import { AnthropicInstrumentation } from '${OPEN_INFERENCE}-anthropic'`,
      "import Anthropic from '@anthropic-ai/sdk'",
      'new AnthropicInstrumentation().manuallyInstrument(Anthropic)',
    ],
  }),
  '@mastra/core': () => ({
    name: 'Mastra',
    needs: [],
    setUp: [],
    inCode: 'Give its observability the exporter of @mastra/otel-exporter, with http://127.0.0.1:4747/v1/traces as the endpoint.',
  }),
  '@strands-agents/sdk': () => ({ name: 'Strands Agents', needs: [], setUp: [] }),
}
/** Frameworks that wrap others: what they wrap needs no set-up of its own. */
const ALIASES: Readonly<Record<string, string>> = { '@langchain/langgraph': '@langchain/core', langchain: '@langchain/core' }

/** The frameworks among a project's dependencies, in the order in which they are known here. */
export function nodeFrameworks(dependencies: ReadonlyMap<string, string>): readonly NodeFramework[] {
  const known = new Set([...dependencies.keys()].map((name) => ALIASES[name] ?? name))
  return Object.entries(RECIPES).flatMap(([name, recipe]) =>
    known.has(name) ? [{ package: name, ...recipe(dependencies.get(name) ?? '') }] : [],
  )
}

/** `^6.0.1` → 6; undefined for what names no version (`latest`, a workspace). */
function majorOf(version: string): number | undefined {
  const [, major] = /(?:^|[\s^~>=v])(\d+)(?:\.|$)/.exec(version) ?? []
  return major === undefined ? undefined : Number(major)
}
