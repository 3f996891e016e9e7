import { MockLanguageModelV4, simulateReadableStream } from 'ai/test'

/** A scripted model that plans: first it asks for two tools at once, then it answers from what they gave. `paceMs` between tokens. */
export function createPlannerModel(paceMs) {
  return new MockLanguageModelV4({
    provider: 'demo',
    modelId: 'trip-planner-1',
    doStream: async ({ prompt }) => {
      const results = toolResults(prompt)
      const chunks = results.length === 0 ? firstStep() : answerStep(answerOf(results))
      return { stream: simulateReadableStream({ chunks, initialDelayInMs: paceMs * 5, chunkDelayInMs: paceMs }) }
    },
  })
}

function firstStep() {
  return [
    { type: 'stream-start', warnings: [] },
    ...textParts('Let me look up flights and the price in euros.'),
    toolCall('call-flights', 'searchFlights', { from: 'VIE', to: 'LIS' }),
    toolCall('call-euros', 'convertCurrency', { amount: 189, from: 'USD' }),
    finish('tool-calls', 412, 58),
  ]
}

function answerStep(text) {
  return [{ type: 'stream-start', warnings: [] }, ...textParts(text), finish('stop', 655, text.split(' ').length)]
}

function answerOf(results) {
  const flights = results.find((result) => result.toolName === 'searchFlights')?.output
  const euros = results.find((result) => result.toolName === 'convertCurrency')?.output
  const flight =
    flights?.type === 'json' && Array.isArray(flights.value) && flights.value.length > 0
      ? `Take flight ${flights.value.at(-1).flight} from Vienna to Lisbon on Friday at noon.`
      : `The flight search gave ${shown(flights)}.`
  return `${flight} ${priceOf(euros)} Stay in Alfama, ride tram 28 on Saturday, and have a pastel de nata in Belém on Sunday.`
}

function priceOf(output) {
  if (output?.type === 'error-text' || output?.type === 'error-json') {
    return `I could not convert the price: the currency tool failed (${shown(output)}).`
  }
  const value = output?.value
  if (typeof value?.amount === 'number') return `It costs ${value.amount} ${value.currency ?? 'EUR'}.`
  return `The currency tool says it costs ${shown(output)}.`
}

export function shown(output) {
  return typeof output?.value === 'string' ? output.value : JSON.stringify(output?.value)
}

export function toolResults(prompt) {
  return prompt.flatMap((message) => (message.role === 'tool' ? message.content.filter((part) => part.type === 'tool-result') : []))
}

export function textParts(text) {
  const words = text.split(/(?<= )/)
  return [
    { type: 'text-start', id: 'text-1' },
    ...words.map((delta) => ({ type: 'text-delta', id: 'text-1', delta })),
    { type: 'text-end', id: 'text-1' },
  ]
}

export function toolCall(toolCallId, toolName, input) {
  return { type: 'tool-call', toolCallId, toolName, input: JSON.stringify(input) }
}

export function finish(unified, inputTokens, outputTokens) {
  return {
    type: 'finish',
    finishReason: { unified, raw: unified },
    usage: {
      inputTokens: { total: inputTokens, noCache: inputTokens, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: outputTokens, text: outputTokens, reasoning: 0 },
    },
  }
}
