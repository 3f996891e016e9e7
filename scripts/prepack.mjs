// Runs before npm packs a package, in its folder: the licence of the whole goes with each of its parts.
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './lib/run.mjs'

copyFileSync(join(root, 'LICENSE'), 'LICENSE')
