/** Nesting kept of a value; deeper parts are replaced by the truncation mark, so that no reader's stack overflows. */
export const MAX_DEPTH = 200

/** Ends a text that is not whole. Edit and inject refuse values that hold it (contract, shrink markers of the 0.6 generation). */
export const TRUNCATED = '…[graphmind: truncated]'

/** Base64 longer than this is shown as its size; an icon still shows (design: 1 KB). */
export const MAX_BASE64_BYTES = 1024
