// The quick gate: format and lint, types, import rules, unit tests. `--static` leaves the tests to the caller.
import { availableParallelism } from 'node:os'
import { bin, exitCodeOf, main } from './lib/run.mjs'

const SOURCES = [
  'control/schema/src',
  'control/client/src',
  'control/hub/src',
  'mappings/src',
  'instrumentation/otel/src',
  'instrumentation/ai-sdk/src',
  'collector/src',
  'viewer/src',
]

const steps = [
  ['format and lint', bin('biome'), ['ci', '--error-on-warnings', '.']],
  ['types', bin('tsc'), ['--build']],
  ['types of the tests', bin('tsc'), ['--project', 'tsconfig.tests.json']],
  ['generated pages', bin('node'), ['scripts/wire-docs.mjs', '--check']],
  ['import rules', bin('depcruise'), ['--config', '.dependency-cruiser.cjs', ...SOURCES]],
]
// Vitest leaves one core free by default, which is half of a small machine.
const everyCore = [`--maxWorkers=${availableParallelism()}`]
const tests = ['unit tests', bin('vitest'), ['run', '--project', 'unit', '--project', 'viewer', ...everyCore]]

await main(async () => {
  const failed = []
  for (const [name, command, args] of process.argv.includes('--static') ? steps : [...steps, tests])
    if ((await exitCodeOf(command, args)) !== 0) failed.push(name)
  if (failed.length > 0) throw new Error(`check failed: ${failed.join(', ')}`)
})
