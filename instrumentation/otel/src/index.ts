export type { GraphMindSpanProcessorOptions } from './options.ts'
export { registerGraphMind } from './preload/register-graphmind.ts'
export { GraphMindSpanProcessor } from './span-processor.ts'
