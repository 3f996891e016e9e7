import type { CalculatePrice } from '../model/estimate.ts'

/** Loads the table of prices, which comes with the page and is larger than the rest of it. Nobody else is asked. */
export const loadPrices: (() => Promise<CalculatePrice>) | undefined = async () => (await import('@pydantic/genai-prices')).calcPrice
