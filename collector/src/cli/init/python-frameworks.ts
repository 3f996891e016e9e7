/** How a framework of Python gets its spans. */
export interface PythonFramework {
  readonly name: string
  readonly package: string
  readonly needs: readonly string[]
  readonly imports: readonly string[]
  /** Lines that run once the tracer provider is set. */
  readonly setUp: readonly string[]
}

const openInference = (module: string, instrumentor: string) => ({
  needs: [`openinference-instrumentation-${module.replaceAll('_', '-')}`],
  imports: [`from openinference.instrumentation.${module} import ${instrumentor}`],
  setUp: [`${instrumentor}().instrument(tracer_provider=provider)`],
})

/** By distribution, agents before the clients they use. */
const RECIPES: Readonly<Record<string, Omit<PythonFramework, 'package'>>> = {
  'pydantic-ai': {
    name: 'Pydantic AI',
    needs: [],
    imports: ['from pydantic_ai import Agent'],
    setUp: ['Agent.instrument_all()'],
  },
  'openai-agents': { name: 'OpenAI Agents', ...openInference('openai_agents', 'OpenAIAgentsInstrumentor') },
  langchain: { name: 'LangChain / LangGraph', ...openInference('langchain', 'LangChainInstrumentor') },
  'llama-index': { name: 'LlamaIndex', ...openInference('llama_index', 'LlamaIndexInstrumentor') },
  crewai: { name: 'CrewAI', ...openInference('crewai', 'CrewAIInstrumentor') },
  dspy: { name: 'DSPy', ...openInference('dspy', 'DSPyInstrumentor') },
  smolagents: { name: 'smolagents', ...openInference('smolagents', 'SmolagentsInstrumentor') },
  'google-adk': { name: 'Google ADK', ...openInference('google_adk', 'GoogleADKInstrumentor') },
  'strands-agents': { name: 'Strands Agents', needs: [], imports: [], setUp: [] },
  openai: { name: 'OpenAI client', ...openInference('openai', 'OpenAIInstrumentor') },
  anthropic: { name: 'Anthropic client', ...openInference('anthropic', 'AnthropicInstrumentor') },
  'google-genai': { name: 'Google GenAI client', ...openInference('google_genai', 'GoogleGenAIInstrumentor') },
  litellm: { name: 'LiteLLM', ...openInference('litellm', 'LiteLLMInstrumentor') },
  mistralai: { name: 'Mistral client', ...openInference('mistralai', 'MistralAIInstrumentor') },
  groq: { name: 'Groq client', ...openInference('groq', 'GroqInstrumentor') },
}
const ALIASES: Readonly<Record<string, string>> = {
  'langchain-core': 'langchain',
  langgraph: 'langchain',
  'llama-index-core': 'llama-index',
  'pydantic-ai-slim': 'pydantic-ai',
  'dspy-ai': 'dspy',
}

/** The frameworks among a project's dependencies. */
export function pythonFrameworks(dependencies: ReadonlySet<string>): readonly PythonFramework[] {
  const known = new Set([...dependencies].map((name) => ALIASES[name] ?? name))
  return Object.entries(RECIPES).flatMap(([name, recipe]) => (known.has(name) ? [{ package: name, ...recipe }] : []))
}
