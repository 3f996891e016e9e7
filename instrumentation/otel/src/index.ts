export type { GraphMindSpanProcessorOptions } from './options.ts'
export { GraphMindSpanProcessor } from './span-processor.ts'
