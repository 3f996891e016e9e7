// node --require @graphmind-ai/otel/register app.js, where nothing can be waited for: gates are armed as soon as the debugger answers.
import { createRequire } from 'node:module'
import { extname } from 'node:path'
import { isWanted } from './preload/is-wanted.ts'
import type * as Preload from './preload/preload.ts'

if (isWanted(process.env)) {
  const { preload }: typeof Preload = createRequire(import.meta.url)(`./preload/preload${extname(import.meta.url)}`)
  void preload()
}
