// What the small examples have in common: an agent that looks up one city's weather, run once, or once for each word of EXAMPLE_PLAN
// (`ok`, `tool-fails`, `model-fails`: the first try of that call fails), with a line about what came out each time.

/** Runs `agent(calls)` through the plan. It calls `calls.tool(city)` for the weather and `calls.model()` with each question to its model. */
export async function runPlan(agent) {
  for (const wish of (process.env.EXAMPLE_PLAN ?? 'ok').split(',')) {
    const counts = { tool: 0, model: 0 }
    const count = (call) => {
      counts[call] += 1
      if (wish === `${call}-fails` && counts[call] === 1) throw new Error(`The ${call} is out of order.`)
    }
    const calls = {
      model: () => count('model'),
      tool: (city) => {
        count('tool')
        return { city, sky: 'foggy', tempC: 17 }
      },
    }
    console.log(`result: ${await outcomeOf(agent, calls)} (${counts.model} model calls, ${counts.tool} tool calls)`)
  }
}

async function outcomeOf(agent, calls) {
  try {
    return await agent(calls)
  } catch (error) {
    // An abort in the debugger ends the run with an AbortError, as a caller's own signal would.
    if (error.name === 'AbortError' || error.cause?.name === 'AbortError') return 'aborted'
    return `failed: ${error.message}`
  }
}
