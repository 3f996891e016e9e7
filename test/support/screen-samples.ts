import type { ManySpansOptions } from '../bench/otlp-run.mjs'
import type { Call } from './otlp-trace.ts'
import type { SampleRun } from './sample-runs.ts'

// What the screens are shown with: runs as people would have them, the same at each time.

const MINUTE = 60_000

interface SampleProgram {
  readonly name: string
  readonly model: string
  readonly tool: string
  readonly found: string
  readonly questions: readonly string[]
  /** Conversations its newest runs belong to, two runs each. */
  readonly sessions?: readonly string[]
  /** US dollars for a million tokens in and out, of programs that report what they cost. */
  readonly price?: { readonly input: number; readonly output: number }
  readonly error?: string
}

const PROGRAMS: readonly SampleProgram[] = [
  {
    name: 'trip-planner',
    model: 'gpt-4o-mini',
    tool: 'find_flights',
    found: '3 flights, from 128 EUR',
    questions: ['A weekend in Lisbon from Vienna, with a quiet hotel', 'Flights to Paris Orly on Friday', 'A night train to Rome for four'],
    sessions: ['trip-anna-lisbon'],
  },
  {
    name: 'support-triage',
    model: 'claude-sonnet-4',
    tool: 'search_tickets',
    found: '2 tickets like it',
    questions: ['My invoice shows the old address', 'The app logs me out every hour', 'How do I move my plan to another team?'],
    sessions: ['ticket-4821', 'ticket-4807'],
    price: { input: 3, output: 15 },
  },
  {
    name: 'invoice-reader',
    model: 'gemini-2.0-flash',
    tool: 'read_page',
    found: '1 page, 14 lines',
    questions: ['invoice-2291.pdf', 'invoice-2288.pdf', 'receipt-lisbon-taxi.jpg'],
  },
  {
    name: 'code-review',
    model: 'claude-sonnet-4',
    tool: 'read_diff',
    found: '6 files, 212 lines',
    questions: ['Review pull request 318', 'Review pull request 311', 'Review pull request 309'],
    price: { input: 3, output: 15 },
  },
  {
    name: 'research-notes',
    model: 'gpt-4o',
    tool: 'search_papers',
    found: '8 papers since 2019',
    questions: ['Heat pumps in old houses', 'Night trains in Europe since 2016', 'Which cities removed parking, and what followed?'],
    error: 'RateLimitError: 429 from upstream',
  },
  {
    name: 'newsletter',
    model: 'gpt-4o-mini',
    tool: 'list_articles',
    found: '11 articles',
    questions: ['The week in three paragraphs', 'What is new in May', 'The week in three paragraphs'],
    sessions: ['issue-may'],
  },
]

const RUNS = 48

/** Runs of the hours before `nowMs`, seven minutes apart. */
export function earlierRuns(nowMs: number): readonly SampleRun[] {
  return Array.from({ length: RUNS }, (_, at) => {
    const program = PROGRAMS[at % PROGRAMS.length] ?? PROGRAMS[0]
    if (program === undefined) throw new Error('There are no programs.')
    const { name, model, tool, found, questions, sessions, price, error } = program
    const turn = Math.floor(at / PROGRAMS.length)
    const tokens = 900 + ((at * 3571 + turn * 1987) % 14_000)
    const session = sessions?.[Math.floor(turn / 2)]
    return {
      name,
      model,
      tool,
      found,
      tokens,
      startMs: nowMs - (at + 1) * 7 * MINUTE,
      lengthMs: 1400 + ((at * 7907 + turn * 3109) % 24_000),
      question: questions[turn % questions.length] ?? '',
      ...(session === undefined ? {} : { session }),
      ...(price === undefined ? {} : { costUsd: (tokens * price.input + (tokens / 8) * price.output) / 1e6 }),
      ...(error === undefined || turn % 3 > 0 ? {} : { error }),
    }
  })
}

/** A run of many calls, drawn as it is told here. */
export interface LongRun extends ManySpansOptions {
  readonly calls: number
  readonly name: string
}

export const BRIEF: LongRun = {
  calls: 5,
  name: 'weather-brief',
  model: 'gpt-4o-mini',
  tools: ['getForecast', 'getWarnings', 'getTides'],
  pace: 40,
}

export const CONTRACTS: LongRun = {
  calls: 500,
  name: 'contract-review',
  model: 'gpt-4.1',
  tools: [
    'readClause',
    'findParty',
    'checkDates',
    'compareTerms',
    'lookUpLaw',
    'citeSource',
    'scoreRisk',
    'askPolicy',
    'translate',
    'draftNote',
    'linkAnnex',
    'saveNote',
  ],
  pace: 40,
  failure: 'Clause 14.2 is not in the document',
}

export const CATALOGUE: LongRun = {
  calls: 10_000,
  name: 'catalogue-sync',
  model: 'gpt-4.1-mini',
  tools: [
    'lookUpItem',
    'matchSupplier',
    'checkPrice',
    'readImage',
    'classify',
    'translate',
    'convertUnits',
    'findDuplicate',
    'checkStock',
    'writeEntry',
    'tagItem',
    'publish',
  ],
  fan: 40,
  pace: 20,
  failure: 'HTTP 404: no such item',
}

/** Agents that use the same tools, one of them twice, with a failure and words in both directions. */
export const GUIDE: readonly Call[] = [
  {
    kind: 'agent',
    name: 'weekend-guide',
    from: 0,
    to: 19_400,
    calls: [
      {
        kind: 'llm',
        name: 'gpt-4o',
        from: 40,
        to: 2300,
        usage: { input: 1180, output: 96 },
        input: [
          {
            role: 'system',
            parts: [
              { type: 'text', content: 'You plan short trips.\nAsk the finder for facts and the writer for words.\nNever invent prices.' },
            ],
          },
          { role: 'user', parts: [{ type: 'text', content: 'A weekend in Oslo for two, not too dear. What would you do on Saturday?' }] },
        ],
        output: [
          {
            role: 'assistant',
            parts: [
              { type: 'reasoning', content: 'Facts first, then the text.' },
              { type: 'tool_call', id: 'call-1', name: 'finder', arguments: { city: 'Oslo', days: 2 } },
            ],
          },
        ],
      },
      {
        kind: 'agent',
        name: 'finder',
        from: 2400,
        to: 9000,
        calls: [
          {
            kind: 'tool',
            name: 'search',
            from: 2500,
            to: 3900,
            input: { q: 'Oslo in May', filter: '{"lang":"en"}' },
            output: [{ title: 'Oslo in May', url: 'https://example.org/oslo/may' }],
          },
          { kind: 'tool', name: 'search', from: 4000, to: 5900, input: { q: 'Oslo prices' }, error: 'HTTP 502 from the index' },
          {
            kind: 'tool',
            name: 'search',
            from: 6000,
            to: 7400,
            input: { q: 'Oslo prices 2026', limit: 3 },
            output: [
              { title: 'What Oslo costs', url: 'https://example.org/oslo/prices', year: 2026 },
              { title: 'Oslo on forty euros a day', url: 'https://example.org/oslo/forty', year: 2025 },
              { title: 'The city pass, worth it?', url: 'https://example.org/oslo/pass', year: 2026 },
            ],
          },
          {
            kind: 'tool',
            name: 'fetchPage',
            from: 7500,
            to: 8900,
            input: { url: 'https://example.org/oslo/prices' },
            output: 'Ferries leave from Aker Brygge every half hour.',
          },
        ],
      },
      {
        kind: 'agent',
        name: 'writer',
        from: 9100,
        to: 19_000,
        calls: [
          { kind: 'tool', name: 'search', from: 9200, to: 9900, input: { q: 'house style' }, output: [] },
          {
            kind: 'llm',
            name: 'gpt-4o',
            from: 10_000,
            to: 18_000,
            usage: { input: 5240, output: 812 },
            input: [{ role: 'user', parts: [{ type: 'text', content: 'Write **a list** of what to do on Saturday.' }] }],
            output: [
              {
                role: 'assistant',
                parts: [{ type: 'text', content: '- The ferry to the islands\n- Vigeland park\n\nThen **dinner** at the harbour.' }],
              },
            ],
          },
        ],
      },
    ],
  },
]

/** A trace that comes as a file. */
export const CLAIM: readonly Call[] = [
  {
    kind: 'agent',
    name: 'claims-intake',
    from: 0,
    to: 11_200,
    calls: [
      { kind: 'tool', name: 'readForm', from: 40, to: 1900, input: { file: 'claim-7731.pdf' }, output: { policy: 'H-20418', amount: 640 } },
      {
        kind: 'tool',
        name: 'findPolicy',
        from: 2000,
        to: 2700,
        input: { policy: 'H-20418' },
        output: { cover: 'household', until: '2027-03' },
      },
      { kind: 'llm', name: 'gpt-4.1-mini', from: 2800, to: 7300, usage: { input: 3920, output: 410 } },
      { kind: 'tool', name: 'comparePhotos', from: 7400, to: 10_100, input: { count: 4 }, output: { sameRoom: true } },
      { kind: 'tool', name: 'fileClaim', from: 10_200, to: 11_100, input: { amount: 640 }, output: { claim: '7731' } },
    ],
  },
]

/** The same agent asked about a city; one that also books reads more, and its booking fails. */
export function scout(city: string, books: boolean): readonly Call[] {
  const read = books ? 4100 : 2600
  return [
    {
      kind: 'agent',
      name: 'city-scout',
      from: 0,
      to: books ? 9800 : 6400,
      calls: [
        { kind: 'llm', name: 'gpt-4o', from: 30, to: 1900, usage: { input: 640, output: 58, costUsd: 0.00218 } },
        { kind: 'tool', name: 'clock', from: 1950, to: 1990, input: { zone: 'UTC' }, output: '12:04' },
        {
          kind: 'tool',
          name: 'search',
          from: 2000,
          to: 3300,
          input: { city, nights: 2 },
          output: { found: books ? 5 : 3, from: books ? 128 : 92 },
        },
        {
          kind: 'llm',
          name: 'gpt-4o',
          from: 3400,
          to: 3400 + read,
          usage: books ? { input: 2310, output: 240, costUsd: 0.00818 } : { input: 1480, output: 166, costUsd: 0.00536 },
        },
        ...(books
          ? [
              {
                kind: 'tool',
                name: 'book',
                from: 7600,
                to: 9600,
                input: { city, rooms: 1 },
                error: 'No room left for these nights',
              } as const,
            ]
          : []),
      ],
    },
  ]
}
