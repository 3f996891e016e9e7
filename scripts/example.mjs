// Runs one of the examples: npm run example -- ai-sdk-7
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { installFromLockfile } from './lib/install.mjs'
import { exitCodeOf, main, root } from './lib/run.mjs'

await main(async () => {
  const [name, ...args] = process.argv.slice(2)
  const folder = join(root, 'examples', name ?? '')
  if (!name || !existsSync(join(folder, 'package.json'))) {
    const names = readdirSync(join(root, 'examples')).filter((entry) => existsSync(join(root, 'examples', entry, 'package.json')))
    throw new Error(`Name an example: npm run example -- <name>, with one of ${names.join(', ')}.`)
  }
  await installFromLockfile(folder)
  return exitCodeOf('npm', ['start', '--silent', '--', ...args], { cwd: folder })
})
