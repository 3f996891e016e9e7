import { type FoldState, factsOf, type InstanceFacts } from './state.ts'

/** The facts under this id, marked as spoken of by the event with this seq. */
export function touch(state: FoldState, id: string, seq: number): InstanceFacts {
  const facts = factsOf(state, id)
  if (facts.firstSeq < 0) facts.firstSeq = seq
  facts.lastSeq = seq
  return facts
}
