// node --import @graphmind-ai/otel/register app.js
import { isWanted } from './preload/is-wanted.ts'

// The program starts after this, so its first call can be held already.
if (isWanted(process.env)) await (await import('./preload/preload.ts')).preload()
