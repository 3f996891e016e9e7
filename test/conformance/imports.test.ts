import { createRequire } from 'node:module'
import { cruise, type ICruiseOptions, type ICruiseResult } from 'dependency-cruiser'
import { describe, expect, it } from 'vitest'
import { root } from '../support/process.ts'

const { forbidden, options } = createRequire(import.meta.url)(`${root}/.dependency-cruiser.cjs`) as {
  forbidden: { name: string; comment: string }[]
  options: ICruiseOptions
}
const FOLDERS = [
  'control/schema/src',
  'control/client/src',
  'control/hub/src',
  'mappings/src',
  'instrumentation/otel/src',
  'instrumentation/ai-sdk/src',
  'collector/src',
  'viewer/src',
]

async function seen(): Promise<ICruiseResult> {
  const result = await cruise(FOLDERS, { ...options, baseDir: root, ruleSet: { forbidden }, validate: true } as ICruiseOptions)
  return result.output as ICruiseResult
}

describe('the import rules', () => {
  it('see the files of every package, and arrows between packages', async () => {
    const { modules, summary } = await seen()
    for (const folder of FOLDERS)
      expect(
        modules.some((module) => module.source.startsWith(`${folder}/`)),
        folder,
      ).toBe(true)
    const arrows = modules
      .filter((module) => module.source.startsWith('mappings/src/'))
      .flatMap((module) => module.dependencies.map((dependency) => dependency.resolved))
    expect(arrows.some((resolved) => resolved.startsWith('control/schema/'))).toBe(true)
    expect(summary.violations).toEqual([])
  })

  it('give a reason each', () => {
    for (const rule of forbidden) expect(rule.comment, rule.name).toMatch(/\.$/)
  })
})
