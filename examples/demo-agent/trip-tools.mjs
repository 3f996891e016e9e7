import { setTimeout as wait } from 'node:timers/promises'
import { tool } from 'ai'
import * as z from 'zod'

// How many yen a euro buys.
const YEN_PER_EURO = 162

export const tools = {
  searchFlights: tool({
    description: 'Finds flights between two airports.',
    inputSchema: z.object({ from: z.string(), to: z.string() }),
    execute: async ({ from, to }) => {
      await wait(450)
      return [{ flight: 'OS 51', from, to, departs: '2026-05-08T13:35', price: { amount: 742, currency: 'EUR' } }]
    },
  }),
  searchHotels: tool({
    description: 'Finds hotels in a city.',
    inputSchema: z.object({ city: z.string(), nights: z.number() }),
    execute: async ({ city, nights }) => {
      await wait(300)
      return [{ hotel: 'Ryokan Hanamachi', city, nights, price: { amount: 48_000, currency: 'JPY' } }]
    },
  }),
  convertCurrency: tool({
    description: 'Converts an amount of yen into euros.',
    inputSchema: z.object({ amount: z.number(), from: z.literal('JPY'), to: z.literal('EUR') }),
    execute: async ({ amount, to }) => {
      await wait(120)
      // The bug: it multiplies where it has to divide. Nothing fails here, so the mistake travels on.
      return { amount: amount * YEN_PER_EURO, currency: to }
    },
  }),
  checkBudget: tool({
    description: 'Says whether the trip is within the budget.',
    inputSchema: z.object({ total: z.number(), budget: z.number() }),
    execute: async ({ total, budget }) => {
      await wait(90)
      if (total > budget * 100)
        throw new RangeError(`A total of ${total} EUR can't be right for a budget of ${budget} EUR. Look at the prices.`)
      return { withinBudget: total <= budget, total, left: budget - total }
    },
  }),
}
