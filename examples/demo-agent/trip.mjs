// The longer story of `graphmind demo`: a bug in one tool that only shows two steps later, in another. No key, no network.
import { planTrip } from './plan-trip.mjs'
import { createTripModel } from './trip-model.mjs'

await planTrip(createTripModel(Number(process.env.DEMO_PACE_MS ?? 30)))
