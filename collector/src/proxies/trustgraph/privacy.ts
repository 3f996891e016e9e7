import { REDACTED } from '@graphmind-ai/schema'
import { type Fields, isFields } from '../json-fields.ts'
import type { ServiceRequest } from './read-frame.ts'

/** Longer lists of numbers in a vector, and longer base64, are left out: nobody reads them. */
const MAX_NUMBERS = 16
const MAX_BASE64 = 256
const VECTOR_KEYS: ReadonlySet<string> = new Set(['vector', 'vectors'])
const BASE64_KEYS: ReadonlySet<string> = new Set(['content', 'data', 'image'])
const BASE64 = /^[A-Za-z0-9+/_\r\n-]+={0,2}\s*$/
/** Counted as usage; under their own names a rule that masks keys called `token` would mask them. */
const TOKEN_KEYS: ReadonlySet<string> = new Set(['in_token', 'out_token', 'in-token', 'out-token'])

/** Services whose content is passwords, keys and tokens: of these only the operation and the type of an error are recorded. */
export function isSecret({ service }: ServiceRequest): boolean {
  return service === 'iam'
}

/** A request as it is recorded. */
export function recordedRequest(request: ServiceRequest): unknown {
  if (isSecret(request)) return REDACTED
  return elided('', request.service === 'config' ? withoutMcp(request.request, isAboutMcp(request)) : request.request)
}

/** A response as it is recorded, but for services that are secret as a whole. */
export function recordedResponse(response: Fields, request: ServiceRequest): Fields {
  const shown = request.service === 'config' ? withoutMcp(response, isAboutMcp(request)) : response
  const kept = Object.entries(shown as Fields).filter(([key]) => !TOKEN_KEYS.has(key))
  return Object.fromEntries(kept.map(([key, value]) => [key, elided(key, value)]))
}

function isAboutMcp({ request }: ServiceRequest): boolean {
  return request['type'] === 'mcp'
}

/** The configuration of MCP tools holds their credentials, as JSON in strings. */
function withoutMcp(value: unknown, isMcp: boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutMcp(item, isMcp))
  if (!isFields(value)) return value
  const isEntry = isMcp || value['type'] === 'mcp'
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => {
      if (key === 'config' && isFields(child) && 'mcp' in child) return [key, { ...child, mcp: REDACTED }]
      return [key, isEntry && key === 'value' ? REDACTED : withoutMcp(child, isMcp)]
    }),
  )
}

function elided(key: string, value: unknown): unknown {
  if (typeof value === 'string') {
    const isLong = value.length > MAX_BASE64 && BASE64_KEYS.has(key) && BASE64.test(value)
    return isLong ? `[${value.length} characters of base64 left out]` : value
  }
  if (Array.isArray(value)) {
    const isVector = VECTOR_KEYS.has(key) && value.length > MAX_NUMBERS && value.every((item) => typeof item === 'number')
    return isVector ? `[${value.length} numbers left out]` : value.map((item) => elided(key, item))
  }
  if (!isFields(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, child]) => [name, elided(name, child)]))
}
