import { readFileSync } from 'node:fs'
import { packageFile } from './package-file.ts'

/** The package's version, from its package.json. */
export const VERSION: string = (JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as { version: string }).version
