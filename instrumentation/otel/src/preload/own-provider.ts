import { readFileSync } from 'node:fs'
import { createRequire, findPackageJSON } from 'node:module'
import type { TracerProvider } from '@opentelemetry/api'
import type * as ContextAsyncHooks from '@opentelemetry/context-async-hooks'
import type * as Resources from '@opentelemetry/resources'
import type * as SdkTraceBase from '@opentelemetry/sdk-trace-base'
import type { Api } from '../gate/provider-hook.ts'
import { GraphMindSpanProcessor } from '../span-processor.ts'
import { programUrl } from './app-apis.ts'

/** Makes a provider with our processor and registers it, for a program that brings none; the SDK is loaded only here. */
export function registerOwnProvider(apis: readonly Api[], serviceName: string | undefined): TracerProvider {
  const require = createRequire(import.meta.url)
  const sdk: typeof SdkTraceBase = require('@opentelemetry/sdk-trace-base')
  const hooks: typeof ContextAsyncHooks = require('@opentelemetry/context-async-hooks')
  const provider = new sdk.BasicTracerProvider({
    resource: describeProgram(require('@opentelemetry/resources'), serviceName),
    spanProcessors: [new GraphMindSpanProcessor()],
  })
  const manager = new hooks.AsyncLocalStorageContextManager().enable()
  // A copy of another version than the one that registered something before is refused; then the next one is asked.
  apis.some((api) => api.context.setGlobalContextManager(manager))
  apis.some((api) => api.trace.setGlobalTracerProvider(provider))
  return provider
}

function describeProgram(resources: typeof Resources, serviceName: string | undefined): Resources.Resource {
  const named = resources.detectResources({ detectors: [resources.envDetector] })
  const name = serviceName ?? packageName()
  const fallback = resources.resourceFromAttributes(name === undefined ? {} : { 'service.name': name })
  // What is merged later wins: OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES over the name in package.json.
  return resources.defaultResource().merge(fallback).merge(named)
}

function packageName(): string | undefined {
  try {
    const path = findPackageJSON(programUrl())
    const description: unknown = path === undefined ? undefined : JSON.parse(readFileSync(path, 'utf8'))
    if (typeof description !== 'object' || description === null || !('name' in description)) return undefined
    return typeof description.name === 'string' ? description.name : undefined
  } catch {
    return undefined // A program outside of any package.
  }
}
