import { type Validate, validatorFor } from '@graphmind-ai/client'
import type { GraphNodeHint } from '@graphmind-ai/schema'
import { isFields } from '../json-fields.ts'
import { nodeOf } from './methods.ts'

/** The first protocol version without a handshake; versions are dates and compare as text. */
const FIRST_STATELESS = '2026-07-28'
const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion'
/** Tools whose schemas are remembered. */
const MAX_TOOLS = 2_000

/** What the conversation itself has told about the server so far. */
export class KnownServer {
  #protocolVersion = ''
  readonly #schemas = new Map<string, unknown>()
  #name: string | undefined

  /** The name the server gave itself; undefined as long as it gave none. */
  get name(): string | undefined {
    return this.#name
  }

  /** Whether a request belongs to the stateless protocol: it says so itself, or the handshake did. */
  isStateless(params: unknown): boolean {
    const meta = isFields(params) ? params['_meta'] : undefined
    const own = isFields(meta) ? meta[VERSION_KEY] : undefined
    return (typeof own === 'string' ? own : this.#protocolVersion) >= FIRST_STATELESS
  }

  /** Learns from the result of a client's request. Answers tools that were not known before, to be drawn before they are called. */
  learn(method: string, result: unknown): readonly GraphNodeHint[] {
    if (!isFields(result)) return []
    if (method === 'initialize' || method === 'server/discover') {
      const { protocolVersion, serverInfo } = result
      if (typeof protocolVersion === 'string') this.#protocolVersion = protocolVersion
      if (isFields(serverInfo) && typeof serverInfo['name'] === 'string' && serverInfo['name'] !== '') this.#name = serverInfo['name']
    }
    return method === 'tools/list' && Array.isArray(result['tools']) ? this.#learnTools(result['tools']) : []
  }

  /** The check of edited arguments that the tool's last listed schema gives. */
  validatorOf(tool: string): Validate | undefined {
    return validatorFor(this.#schemas.get(tool))
  }

  #learnTools(tools: readonly unknown[]): readonly GraphNodeHint[] {
    const hints: GraphNodeHint[] = []
    for (const tool of tools) {
      if (!isFields(tool) || typeof tool['name'] !== 'string') continue
      const { name, inputSchema } = tool
      const isNew = !this.#schemas.has(name)
      if (isNew && this.#schemas.size >= MAX_TOOLS) continue
      this.#schemas.set(name, inputSchema)
      if (!isNew) continue
      const { nodeId, kind, name: shown, parentId } = nodeOf('client', 'tools/call', { name })
      hints.push({ nodeId, kind, name: shown, parentId })
    }
    return hints
  }
}
