/** A recorded page does without the table of prices: it would be larger than the viewer in it. */
export const loadPrices = undefined
