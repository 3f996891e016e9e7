import type { CallShape } from './held-call.ts'
import { generated, isPart, shownAnswer, streamed } from './model-answer.ts'
import { modelEndOf } from './model-end.ts'

/** How a `doGenerate` call is answered. */
export const MODEL_CALL: CallShape<unknown> = {
  actions: {
    before: ['continue', 'inject', 'abort'],
    after: ['continue', 'retry', 'inject', 'abort'],
    error: ['continue', 'retry', 'inject', 'abort'],
  },
  outputOf: (result) => (isPart(result) && Array.isArray(result['content']) ? shownAnswer(result['content']) : result),
  modelEndOf,
  inject: (output) => generated(output, 4, undefined),
}

/** How a `doStream` call is answered. Its function returns when the stream begins, so `after` is held in the stream itself. */
export const MODEL_STREAM: CallShape<unknown> = {
  actions: { before: ['continue', 'inject', 'abort'], error: ['continue', 'retry', 'inject', 'abort'] },
  inject: (output) => streamed(output, 4),
}

/** How a model call is answered when we don't know whether it streams: then no answer can be made up. */
export const UNKNOWN_MODEL_CALL: CallShape<unknown> = {
  actions: { before: ['continue', 'abort'], error: ['continue', 'retry', 'abort'] },
  inject: (output) => output,
}
