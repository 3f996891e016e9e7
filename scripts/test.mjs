// Everything the project promises, tested: the static checks, the unit tests and, in real Chromium, the end-to-end tests.
// The last line is `N passed, N failed`.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bin, exitCodeOf, main } from './lib/run.mjs'

await main(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'graphmind-test-'))
  const report = join(folder, 'report.json')
  try {
    const checked = await exitCodeOf(bin('node'), ['scripts/check.mjs', '--static'])
    const tested = await exitCodeOf(bin('vitest'), [
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
      ...process.argv.slice(2),
    ])
    const counts = readCounts(report)
    const failed = counts.failed + (checked === 0 ? 0 : 1) + (tested !== 0 && counts.failed === 0 ? 1 : 0)
    if (checked !== 0) console.log('The static checks failed: see above.')
    console.log(`${counts.passed} passed, ${failed} failed`)
    return failed === 0 ? 0 : 1
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

function readCounts(path) {
  try {
    const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(path, 'utf8'))
    return { passed: numPassedTests, failed: numFailedTests }
  } catch (error) {
    console.error(`The test report could not be read: ${error.message}`)
    return { passed: 0, failed: 1 }
  }
}
