export { type GraphMind, type GraphMindOptions, graphmind, type RunContext } from './graphmind.ts'
