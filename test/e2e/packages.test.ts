import { expect, it } from 'vitest'
import { startProgram } from '../support/process.ts'

// The whole of it, with offline installs on every supported Node, is `npm run check:packages`.
it('packs every package with its licence, its types and nothing of ours besides', async () => {
  const check = startProgram(['scripts/check-packages.mjs', '--quick'])
  expect({ code: await check.exited, output: check.output() }).toMatchObject({ code: 0 })
})
