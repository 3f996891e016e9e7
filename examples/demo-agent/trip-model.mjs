import { MockLanguageModelV4, simulateReadableStream } from 'ai/test'
import { finish, shown, textParts, toolCall, toolResults } from './model.mjs'

const BUDGET = 1500

/** A scripted model that plans a trip in four steps: search twice at once, convert, check the budget, answer. `paceMs` between tokens. */
export function createTripModel(paceMs) {
  return new MockLanguageModelV4({
    provider: 'demo',
    modelId: 'trip-planner-1',
    doStream: async ({ prompt }) => {
      const chunks = [
        { type: 'stream-start', warnings: [] },
        ...nextStep(new Map(toolResults(prompt).map(({ toolName, output }) => [toolName, output]))),
      ]
      return { stream: simulateReadableStream({ chunks, initialDelayInMs: paceMs * 5, chunkDelayInMs: paceMs }) }
    },
  })
}

function nextStep(outputs) {
  if (!outputs.has('searchFlights')) {
    return [
      ...textParts('I look for flights and a place to stay.'),
      toolCall('call-flights', 'searchFlights', { from: 'VIE', to: 'KIX' }),
      toolCall('call-hotels', 'searchHotels', { city: 'Kyoto', nights: 4 }),
      finish('tool-calls', 438, 64),
    ]
  }
  if (!outputs.has('convertCurrency')) {
    return [
      ...textParts('The hotel asks for yen. In euros that is:'),
      toolCall('call-euros', 'convertCurrency', { amount: 48_000, from: 'JPY', to: 'EUR' }),
      finish('tool-calls', 702, 41),
    ]
  }
  if (!outputs.has('checkBudget')) {
    const total = 742 + (outputs.get('convertCurrency').value?.amount ?? 0)
    return [
      ...textParts(`Flight and hotel are ${total} euros together. I check that against the budget.`),
      toolCall('call-budget', 'checkBudget', { total, budget: BUDGET }),
      finish('tool-calls', 791, 39),
    ]
  }
  const answer = `Fly OS 51 from Vienna to Osaka and stay four nights at Ryokan Hanamachi in Kyoto. ${budgetOf(outputs.get('checkBudget'))}`
  return [...textParts(answer), finish('stop', 872, answer.split(' ').length)]
}

function budgetOf(output) {
  if (output.type.startsWith('error')) return `I could not check your budget of ${BUDGET} euros: ${shown(output)}`
  return `About your budget of ${BUDGET} euros: ${shown(output)}.`
}
