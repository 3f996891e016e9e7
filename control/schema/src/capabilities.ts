/** What a client may announce in `hello`; plain strings on the wire, so that others pass through. */
export const CAPABILITIES = ['pause', 'step', 'inject', 'retry', 'abort'] as const
/** Added by design 7; a matcher with an extra is sent only to apps that announced it. */
export const EXTRA_CAPABILITIES = ['run-claim', 'edit-input', 'bp-where', 'bp-hits', 'bp-log', 'bp-run', 'bp-once', 'bp-pattern'] as const
export type Capability = (typeof CAPABILITIES)[number] | (typeof EXTRA_CAPABILITIES)[number]
/** Stands in for a value hidden at the source. */
export const REDACTED = '__REDACTED__'
