// Makes a fresh clone ready: installs from the lockfile, then builds what is stale. Runs on the machine's own Node (20 is enough).
import { installFromLockfile } from './lib/install.mjs'
import { requireNode } from './lib/node-version.mjs'
import { bin, main, root, run } from './lib/run.mjs'

await main(async () => {
  await installFromLockfile(root)
  const node = requireNode(bin('node'))
  await run(node, ['scripts/build.mjs'])
})
