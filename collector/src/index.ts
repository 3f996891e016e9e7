export { type Collector, type CollectorOptions, startCollector } from './collector.ts'
export type { Problem, Result } from './problem.ts'
