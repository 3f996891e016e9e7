import { setTimeout as wait } from 'node:timers/promises'
import { tool } from 'ai'
import * as z from 'zod'

const FLIGHTS = [
  { flight: 'OS 355', from: 'VIE', to: 'LIS', departs: '2026-05-08T07:05', price: { amount: 214, currency: 'USD' } },
  { flight: 'TP 1275', from: 'VIE', to: 'LIS', departs: '2026-05-08T12:40', price: { amount: 189, currency: 'USD' } },
]

// How many euros one unit buys. The bug: dollars are missing, and `convert` never looks whether it found a rate.
const EUROS_PER = { GBP: { rate: 1.17 }, CHF: { rate: 1.04 } }

export const tools = {
  searchFlights: tool({
    description: 'Finds flights between two airports.',
    inputSchema: z.object({ from: z.string(), to: z.string() }),
    execute: async ({ from, to }) => {
      await wait(250)
      return FLIGHTS.filter((flight) => flight.from === from && flight.to === to)
    },
  }),
  convertCurrency: tool({
    description: 'Converts an amount of money into euros.',
    inputSchema: z.object({ amount: z.number(), from: z.string() }),
    execute: async ({ amount, from }) => {
      await wait(120)
      return { amount: convert(amount, from), currency: 'EUR' }
    },
  }),
}

function convert(amount, from) {
  const { rate } = EUROS_PER[from]
  return Math.round(amount * rate)
}
