import chromium from '@sparticuz/chromium'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    chromium: string
  }
}

/** Unpacks the browser once for all test files. Order: GRAPHMIND_TEST_CHROMIUM → the npm package on Linux x64 → a system Chrome. */
export default async function setup(project: TestProject) {
  project.provide('chromium', await executablePath())
}

async function executablePath(): Promise<string> {
  const chosen = process.env['GRAPHMIND_TEST_CHROMIUM']
  if (chosen) return chosen
  if (process.platform === 'linux' && process.arch === 'x64') return chromium.executablePath()
  return 'chrome'
}
