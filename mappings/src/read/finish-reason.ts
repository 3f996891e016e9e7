export type FinishReason = 'stop' | 'length' | 'tool-calls' | 'content-filter' | 'error' | 'other'

const SPELLINGS: Readonly<Record<FinishReason, readonly string[]>> = {
  stop: ['stop', 'endturn', 'stopsequence', 'completed', 'complete', 'eos', 'finished', 'success'],
  length: ['length', 'maxtokens', 'maxoutputtokens', 'modelcontextwindowexceeded', 'incomplete'],
  'tool-calls': ['toolcalls', 'toolcall', 'tooluse', 'functioncall', 'functioncalls'],
  'content-filter': [
    'contentfilter',
    'contentfiltered',
    'safety',
    'recitation',
    'refusal',
    'blocklist',
    'prohibitedcontent',
    'spii',
    'imagesafety',
    'guardrailintervened',
  ],
  error: ['error', 'failed', 'malformedfunctioncall'],
  other: [],
}

const BY_SPELLING = new Map(
  (Object.keys(SPELLINGS) as FinishReason[]).flatMap((reason) => SPELLINGS[reason].map((spelling) => [spelling, reason] as const)),
)

/** A vendor's finish reason in our six words. A plain stop beside tool calls means that the tools are to run. */
export function finishReasonOf(raw: string | undefined, hasToolCalls: boolean): FinishReason | undefined {
  if (raw === undefined) return undefined
  const spelling = raw
    .toLowerCase()
    .replace(/[^a-z]/g, '')
    .replace(/^finishreason/, '')
  const reason = BY_SPELLING.get(spelling) ?? 'other'
  return reason === 'stop' && hasToolCalls ? 'tool-calls' : reason
}
