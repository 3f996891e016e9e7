// What a collector does when the ground gives way: killed under load, full disk, locked, damaged or foreign files.
//   npm run faults              50 kills at random moments, 500 runs
//   npm run faults -- 10        with fewer kills
import { bin, environment, exitCodeOf, main } from '../../scripts/lib/run.mjs'

const [kills = '50'] = process.argv.slice(2)

await main(() =>
  exitCodeOf(bin('vitest'), ['run', '--project', 'e2e', 'test/faults'], {
    env: { ...environment, FAULTS_KILLS: kills, FAULTS_RUNS: '500' },
  }),
)
