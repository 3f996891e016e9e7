export { checkAgainst } from '../gate/edit-input.ts'
export { generated, type ModelVersion, shownAnswer, streamed } from '../gate/model-answer.ts'
export { isModelStream, type ModelStream, observeStream, type TokenSink, type WatchPart } from '../gate/model-stream.ts'
export { type AdaptedCall, type AdaptedSpan, Adapter, openAdapter } from './adapter.ts'
