import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { pathToFileURL } from 'node:url'
import { messageOf } from '../../problem.ts'
import type { Environment } from '../settings.ts'

/** True where a browser can show up: not on a server, in CI, or in an output that nobody reads. */
export function hasDisplay(environment: Environment, platform: NodeJS.Platform, isTerminal: boolean): boolean {
  if (!isTerminal || (environment['CI'] ?? '') !== '') return false
  if (platform !== 'linux') return true
  return (environment['DISPLAY'] ?? '') !== '' || (environment['WAYLAND_DISPLAY'] ?? '') !== ''
}

/**
 * Opens the address in the user's browser. Returns why it could not, if so. An address with a token goes by `file`, a page for this user
 * alone that leads on: everybody on the machine can read the arguments of a program.
 */
export async function openBrowser(url: string, file?: string): Promise<string | undefined> {
  try {
    const { default: open } = await import('open')
    if (file !== undefined) writePrivately(file, redirectTo(url))
    const child = await open(file === undefined ? url : pathToFileURL(file).href)
    child.on('error', () => undefined)
    child.unref()
    return undefined
  } catch (error) {
    return messageOf(error)
  }
}

function writePrivately(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  rmSync(path, { force: true })
  writeFileSync(path, text, { mode: 0o600, flag: 'wx' })
}

/** The address has only characters that need no escaping: it is ours. */
function redirectTo(url: string): string {
  return `<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0;url=${url}"><a href="${url}">GraphMind</a>\n`
}
