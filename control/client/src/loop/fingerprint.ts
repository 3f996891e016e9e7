import { hash } from 'node:crypto'

const MAX_DEPTH = 64

/**
 * 32 hex characters that two calls share when node and arguments are the same: the order of keys, white space and the spelling of
 * numbers make no difference, and keys in `ignoreKeys` do not count at any depth. Undefined for arguments that can't be read.
 */
export function fingerprint(nodeId: string, input: unknown, ignoreKeys: ReadonlySet<string>): string | undefined {
  try {
    return hash('sha256', `${nodeId}\0${canonical(parsed(input), ignoreKeys, 0)}`, 'hex').slice(0, 32)
  } catch {
    // A cycle, a getter that throws, something too deep: nobody can say whether two of those are the same.
    return undefined
  }
}

/** Some frameworks hand arguments over as the model wrote them: JSON text. */
function parsed(input: unknown): unknown {
  if (typeof input !== 'string' || !/^\s*[[{]/.test(input)) return input
  try {
    return JSON.parse(input)
  } catch {
    // Text that only begins like JSON is an argument like any other.
    return input
  }
}

function canonical(value: unknown, ignoreKeys: ReadonlySet<string>, depth: number): string {
  if (depth > MAX_DEPTH) throw new RangeError('The arguments are nested too deeply.')
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  if ('toJSON' in value && typeof value.toJSON === 'function') return canonical(value.toJSON(), ignoreKeys, depth + 1)
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item, ignoreKeys, depth + 1)).join(',')}]`
  const fields = Object.keys(value)
    .filter((key) => !ignoreKeys.has(key))
    .sort()
    .map((key) => ({ key, child: Reflect.get(value, key) }))
    .filter(({ child }) => child !== undefined && typeof child !== 'function')
    .map(({ key, child }) => `${JSON.stringify(key)}:${canonical(child, ignoreKeys, depth + 1)}`)
  return `{${fields.join(',')}}`
}
