import { type LayoutInput, layOut, type Point } from '../../model/layout.ts'

export interface LayoutRequest {
  readonly id: number
  readonly input: LayoutInput
}

export interface LayoutAnswer {
  readonly id: number
  readonly positions: ReadonlyMap<string, Point>
}

self.addEventListener('message', (event: MessageEvent<LayoutRequest>) => {
  const answer: LayoutAnswer = { id: event.data.id, positions: layOut(event.data.input) }
  self.postMessage(answer)
})
