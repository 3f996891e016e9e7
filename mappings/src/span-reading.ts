import { dialectOf } from './registry.ts'
import type { Attributes, SpanView } from './span-view.ts'

/** Which dialect speaks for a span, and the attributes that it never looked at, so that nothing shown can be of them. */
export interface SpanReading {
  readonly dialect: string
  readonly unread: readonly string[]
}

/** Maps a span once more and watches what is looked at: for one span that somebody asks about, for it costs more than mapping. */
export function readingOf(span: SpanView): SpanReading {
  const unread = new Set(Object.keys(span.attributes))
  const attributes = new Proxy<Attributes>(span.attributes, {
    get(target, key) {
      if (typeof key !== 'string') return undefined
      unread.delete(key)
      return target[key]
    },
  })
  const watched = { ...span, attributes }
  const dialect = dialectOf(span)
  // What it is claimed by is used, too.
  dialect.claims(watched)
  return { dialect: dialect.map(watched).dialect, unread: [...unread] }
}
