// Pictures of every screen in both themes and three widths under docs/screens, and docs/screens.md, which leads to them.
import { bin, environment, exitCodeOf, main } from './lib/run.mjs'

const args = ['run', '--project', 'e2e', 'test/e2e/viewer-every-screen']
await main(() => exitCodeOf(bin('vitest'), args, { env: { ...environment, GRAPHMIND_SCREENSHOTS: '1' } }))
