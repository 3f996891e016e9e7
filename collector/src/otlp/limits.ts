// Everything a sender can make us hold of one span has a cap; what is cut is counted in the span's own dropped…Count.

/** Spans, or log records, of one request: the SDKs send 512 at a time, and collectors batch up to some thousands. */
export const MAX_REQUEST_ITEMS = 100_000
/** The SDKs' default is 128. OpenInference writes about five for each message of a conversation, so 4,096 are some 800 messages. */
export const MAX_ATTRIBUTES = 4096
/** Streams write one event a piece; the longest answers we have seen had some 2,000. */
export const MAX_EVENTS = 4096
export const MAX_LINKS = 512
/** Characters of one text: a picture of 12 MB in base64 still fits. */
export const MAX_TEXT_LENGTH = 16 * 1024 * 1024
export const CUT_MARK = '…[graphmind: truncated]'
