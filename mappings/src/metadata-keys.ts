import { DIALECTS } from './registry.ts'

const KEYS = new Set(DIALECTS.flatMap((dialect) => dialect.metadataKeys.filter((key) => !key.endsWith('*'))))
const PREFIXES = [
  ...new Set(DIALECTS.flatMap((dialect) => dialect.metadataKeys.filter((key) => key.endsWith('*')).map((key) => key.slice(0, -1)))),
]

/** True when any dialect calls this attribute key metadata, not content: the allow-list under a hide switch (design 6). */
export function isMetadataKey(key: string): boolean {
  return KEYS.has(key) || PREFIXES.some((prefix) => key.startsWith(prefix))
}
