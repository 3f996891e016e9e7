import type { Attributes } from '../span-view.ts'
import { withPrefix } from './attribute.ts'
import { asContent } from './content.ts'

/** Settings kept under a prefix, e.g. `gen_ai.request.`, by their own names; undefined when there are none. */
export function parametersOf(
  attributes: Attributes,
  prefix: string,
  except: (key: string) => boolean,
): Readonly<Record<string, unknown>> | undefined {
  const found = withPrefix(attributes, prefix).filter(([key]) => !except(key))
  return found.length > 0 ? Object.fromEntries(found.map(([key, value]) => [key, asContent(value)])) : undefined
}
