import { messageOf } from '../../problem.ts'
import type { Environment } from '../settings.ts'

/** True where a browser can show up: not on a server, in CI, or in an output that nobody reads. */
export function hasDisplay(environment: Environment, platform: NodeJS.Platform, isTerminal: boolean): boolean {
  if (!isTerminal || (environment['CI'] ?? '') !== '') return false
  if (platform !== 'linux') return true
  return (environment['DISPLAY'] ?? '') !== '' || (environment['WAYLAND_DISPLAY'] ?? '') !== ''
}

/** Opens the address in the user's browser. Returns why it could not, if so. */
export async function openBrowser(url: string): Promise<string | undefined> {
  try {
    const { default: open } = await import('open')
    const child = await open(url)
    child.on('error', () => undefined)
    child.unref()
    return undefined
  } catch (error) {
    return messageOf(error)
  }
}
