import { createRequire, findPackageJSON } from 'node:module'
import { pathToFileURL } from 'node:url'
import type { Api } from '../gate/provider-hook.ts'

/** Packages that bring a copy of the API of their own where a package manager does not put one beside the program. */
const CARRIERS = [
  'ai',
  '@ai-sdk/otel',
  '@opentelemetry/sdk-node',
  '@genkit-ai/core',
  '@traceloop/node-server-sdk',
  '@arizeai/openinference-core',
  '@langfuse/tracing',
]

/** The copies of `@opentelemetry/api` that the program itself will load, the likeliest first. Nothing else is loaded. */
export function findAppApis(): readonly Api[] {
  const program = programUrl()
  const places = [program, ...CARRIERS.flatMap((name) => findPackage(name, program))]
  return [...new Set(places.flatMap(apiFrom))]
}

/** The file that runs, as a URL; the working directory when there is none (`--eval`, a prompt). */
export function programUrl(): string {
  return pathToFileURL(process.argv[1] ?? `${process.cwd()}/`).href
}

function findPackage(name: string, from: string): readonly string[] {
  try {
    const path = findPackageJSON(name, from)
    return path === undefined ? [] : [pathToFileURL(path).href]
  } catch {
    return [] // The program doesn't have it.
  }
}

function apiFrom(place: string): readonly Api[] {
  try {
    const api: unknown = createRequire(place)('@opentelemetry/api')
    return isApi(api) ? [api] : []
  } catch {
    return [] // The program doesn't have it.
  }
}

function isApi(value: unknown): value is Api {
  return typeof value === 'object' && value !== null && 'trace' in value && 'context' in value
}
