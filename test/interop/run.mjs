// Programs in Python, with real packages from the package index: npm run test:interop. Part of npm test as well.
// The environment is kept in node_modules/.cache/interop-python; without Python or the index the tests are skipped and say so.
import { bin, exitCodeOf, main } from '../../scripts/lib/run.mjs'

await main(() => exitCodeOf(bin('vitest'), ['run', '--project', 'e2e', 'test/interop', ...process.argv.slice(2)]))
