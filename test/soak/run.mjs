// Mixed load for minutes, with programs and viewers that come and go: memory must stay flat, and nothing may be lost or fail.
//   npm run soak              10 minutes
//   npm run soak -- 60        as many seconds
import { bin, environment, exitCodeOf, main } from '../../scripts/lib/run.mjs'

const [seconds = '600'] = process.argv.slice(2)

await main(() => exitCodeOf(bin('vitest'), ['run', '--project', 'e2e', 'test/soak'], { env: { ...environment, SOAK_SECONDS: seconds } }))
