/** A planner that searches; the second time for another city, with a booking that fails. */
export const planner = (name: string, city: string, books: boolean) =>
  [
    {
      kind: 'agent',
      name,
      from: 0,
      to: 900,
      calls: [
        { kind: 'tool', name: 'clock', from: 10, to: 20, input: { zone: 'UTC' }, output: 12 },
        { kind: 'tool', name: 'search', from: 30, to: 400, input: { city }, output: { found: 3 } },
        ...(books ? [{ kind: 'tool', name: 'book', from: 500, to: 800, input: { city }, error: 'no seats' } as const] : []),
      ],
    },
  ] as const
