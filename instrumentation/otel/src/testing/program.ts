import type { BreakpointMatcher, RunMode } from '@graphmind-ai/schema'
import { context, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BasicTracerProvider, type SpanProcessor } from '@opentelemetry/sdk-trace-base'
import type { GraphMindSpanProcessorOptions } from '../options.ts'
import { GraphMindSpanProcessor } from '../span-processor.ts'
import { type FakeCollector, startFakeCollector } from './fake-collector.ts'

/** A program with OTel set up the ordinary way and our processor in it, and the collector that it reports to. */
export interface Program {
  readonly collector: FakeCollector
  readonly processor: GraphMindSpanProcessor
  readonly provider: BasicTracerProvider
  readonly warnings: string[]
  stop(): Promise<void>
}

export interface ProgramOptions extends GraphMindSpanProcessorOptions {
  readonly breakpoints?: readonly BreakpointMatcher[]
  readonly mode?: RunMode
  /** Another consumer of the same spans. */
  readonly other?: SpanProcessor
  /** False: do not wait until the debugger is attached. */
  readonly attach?: boolean
}

/** Starts a program; stop it at the end of the test, so that the API's globals are free again. */
export async function startProgram(options: ProgramOptions = {}): Promise<Program> {
  const { breakpoints, mode, other, attach, ...processorOptions } = options
  const collector = await startFakeCollector({ breakpoints: breakpoints ?? [], ...(mode === undefined ? {} : { mode }) })
  const warnings: string[] = []
  const logger = { warn: (text: string) => warnings.push(text) }
  const processor = new GraphMindSpanProcessor({ url: collector.url, env: {}, logger, ...processorOptions })
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({
      'service.name': 'trip-planner',
      'telemetry.sdk.name': 'opentelemetry',
      'telemetry.sdk.version': '2.12.1',
    }),
    spanProcessors: [processor, ...(other === undefined ? [] : [other])],
  })
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  trace.setGlobalTracerProvider(provider)
  if (attach !== false) await processor.ready()
  return {
    collector,
    processor,
    provider,
    warnings,
    async stop() {
      await provider.shutdown()
      await collector.close()
      trace.disable()
      context.disable()
    },
  }
}
