// Writes schema.json at the package root from the built definitions: `tsc -b control/schema && node control/schema/scripts/write-schema.mjs`.
import { writeFileSync } from 'node:fs'
import { exportJsonSchemaString } from '../dist/index.js'

writeFileSync(new URL('../schema.json', import.meta.url), exportJsonSchemaString())
