import { readFileSync } from 'node:fs'
import { type KnownEnvelope, parseFrame } from '@graphmind-ai/schema'
import { packageFile } from '../package-file.ts'

/** The recorded trip of `graphmind demo` in pieces: up to the held call, and how it goes on after a choice. */
export interface Recording {
  readonly start: readonly KnownEnvelope[]
  readonly continue: readonly KnownEnvelope[]
  /** How it goes on with this value as the held call's output. */
  inject(output: unknown): readonly KnownEnvelope[]
}

// What scripts/record-demo.mjs injected when it recorded.
const INJECTED = '__INJECTED__'

/** Reads the bundled recording. Throws when it is missing or damaged: the package is broken then. */
export function readRecording(): Recording {
  const inject = readPiece('inject')
  return {
    start: parsePiece(readPiece('start')),
    continue: parsePiece(readPiece('continue')),
    inject: (output) => parsePiece(withOutput(inject, output)),
  }
}

/** Puts the value where a value stood, and its text into the agent’s words. */
function withOutput(piece: string, output: unknown): string {
  const json = JSON.stringify(output) ?? 'null'
  const words = JSON.stringify(typeof output === 'string' ? output : json).slice(1, -1)
  return piece
    .split(`"${INJECTED}"`)
    .map((part) => part.split(INJECTED).join(words))
    .join(json)
}

function readPiece(name: string): string {
  return readFileSync(packageFile(`demo/${name}.ndjson`), 'utf8')
}

function parsePiece(piece: string): readonly KnownEnvelope[] {
  return piece
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const parsed = parseFrame(line)
      if (parsed.outcome !== 'ok')
        throw new Error(`The bundled demo recording is damaged at ${line.slice(0, 80)}. Install graphmind-ai again.`)
      return parsed.envelope
    })
}
