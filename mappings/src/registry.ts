import type { Dialect } from './dialect.ts'
import { aiSdk } from './dialects/ai-sdk.ts'
import { aiSdk7 } from './dialects/ai-sdk-7.ts'
import { anthropicSdk } from './dialects/anthropic-sdk.ts'
import { autoGen } from './dialects/autogen.ts'
import { claudeCode } from './dialects/claude-code.ts'
import { crewAi } from './dialects/crewai.ts'
import { generic } from './dialects/generic.ts'
import { genkit } from './dialects/genkit.ts'
import { langfuse } from './dialects/langfuse.ts'
import { langSmith } from './dialects/langsmith.ts'
import { logfire } from './dialects/logfire.ts'
import { logfireNotice } from './dialects/logfire-notice.ts'
import { mastra } from './dialects/mastra.ts'
import { mcp } from './dialects/mcp.ts'
import { mlflow } from './dialects/mlflow.ts'
import { openAiAgents } from './dialects/openai-agents.ts'
import { openInference } from './dialects/openinference.ts'
import { openInferenceLangChain } from './dialects/openinference-langchain.ts'
import { otelGenAi } from './dialects/otel-genai.ts'
import { pydanticAi } from './dialects/pydantic-ai.ts'
import { sentry } from './dialects/sentry.ts'
import { strands } from './dialects/strands.ts'
import { traceloop } from './dialects/traceloop.ts'
import { traceloopModel } from './dialects/traceloop-model.ts'
import type { MappedSpan } from './mapped-span.ts'
import type { SpanView } from './span-view.ts'

/** Every dialect in the order in which they are asked; the first claim wins. `generic` claims what is left. */
export const DIALECTS: readonly Dialect[] = [
  logfireNotice,
  claudeCode,
  aiSdk,
  openInferenceLangChain,
  openAiAgents,
  crewAi,
  openInference,
  langfuse,
  langSmith,
  genkit,
  mastra,
  traceloop,
  mcp,
  pydanticAi,
  anthropicSdk,
  strands,
  autoGen,
  aiSdk7,
  sentry,
  logfire,
  traceloopModel,
  otelGenAi,
  mlflow,
  generic,
]

/** What a span means. Total: a span that no vocabulary claims is a custom node or plumbing. */
export function mapSpan(span: SpanView): MappedSpan {
  return dialectOf(span).map(span)
}

/** Who speaks for a span. */
export function dialectOf(span: SpanView): Dialect {
  return DIALECTS.find((dialect) => dialect.claims(span)) ?? generic
}
