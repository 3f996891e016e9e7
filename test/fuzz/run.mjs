// Sends mutated requests and WebSocket frames to a real collector: none may crash it, hang it or be answered with a 500.
//   npm run fuzz                  20,000 of them
//   npm run fuzz -- 1000000       as many as before a release
//   npm run fuzz -- 20000 7       with another seed; a failure prints the seed that repeats it
import { bin, environment, exitCodeOf, main } from '../../scripts/lib/run.mjs'

const [count = '20000', seed = '1'] = process.argv.slice(2)

await main(() =>
  exitCodeOf(bin('vitest'), ['run', '--project', 'e2e', 'test/fuzz'], { env: { ...environment, FUZZ_COUNT: count, FUZZ_SEED: seed } }),
)
