import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import type { Installed } from './node-options.ts'
import type { Listener } from './ports.ts'

const ANSWER_MS = 2000
const OURS = ['@graphmind-ai/otel', '@graphmind-ai/sdk']

/** What answers at an http address. */
export async function lookAt(address: string): Promise<Listener> {
  try {
    const answer = await fetch(`${address}/health`, { signal: AbortSignal.timeout(ANSWER_MS) })
    const body: unknown = await answer.json()
    if (typeof body === 'object' && body !== null && 'name' in body && body.name === 'graphmind' && 'version' in body)
      return { kind: 'graphmind', version: String(body.version) }
    return { kind: 'other' }
  } catch {
    return (await takesConnections(new URL(address))) ? { kind: 'other' } : { kind: 'nobody' }
  }
}

async function takesConnections({ hostname, port, protocol }: URL): Promise<boolean> {
  const socket = connect({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port) || (protocol === 'https:' ? 443 : 80),
    timeout: ANSWER_MS,
  })
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false // Nobody listens.
  } finally {
    socket.destroy()
  }
}

/** Whether the collector lets a program with this token in. */
export async function isLetIn(address: string, token: string | undefined): Promise<boolean> {
  try {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
    const { status } = await fetch(`${address}/api/session`, { headers, signal: AbortSignal.timeout(ANSWER_MS) })
    // Where no token is needed, programs may send any.
    return status !== 401 || (token !== undefined && (await isLetIn(address, undefined)))
  } catch {
    return true // It went away meanwhile; the other checks say so.
  }
}

/** The packages that matter, in the node_modules of this folder. */
export function lookAtPackages(folder: string): Installed {
  const modules = join(folder, 'node_modules')
  const ours = OURS.flatMap((name) => {
    const version = versionIn(join(modules, name))
    return version === undefined ? [] : [[name, version] as const]
  })
  const packages = entriesOf(modules).flatMap((name) =>
    name.startsWith('@') ? entriesOf(join(modules, name)).map((scoped) => join(name, scoped)) : [name],
  )
  const carriers = ['', ...packages.map((name) => join(name, 'node_modules')), ...pnpmCarriers(modules)]
  const apis = carriers.flatMap((carrier) => {
    const path = join(carrier, '@opentelemetry', 'api')
    const version = versionIn(join(modules, path))
    return version === undefined ? [] : [{ folder: join('node_modules', path), version }]
  })
  return { ours: new Map(ours), apis }
}

// pnpm keeps each version once, under a folder with its name.
function pnpmCarriers(modules: string): readonly string[] {
  return entriesOf(join(modules, '.pnpm'))
    .filter((name) => name.startsWith('@opentelemetry+api@'))
    .map((name) => join('.pnpm', name, 'node_modules'))
}

function entriesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return [] // Nothing is installed there.
  }
}

function versionIn(folder: string): string | undefined {
  try {
    const description: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    if (typeof description !== 'object' || description === null || !('version' in description)) return undefined
    return String(description.version)
  } catch {
    return undefined // It is not there.
  }
}
