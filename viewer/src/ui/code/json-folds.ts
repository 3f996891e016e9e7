import { ensureSyntaxTree, foldEffect, foldedRanges, unfoldEffect } from '@codemirror/language'
import type { EditorState, Extension, StateEffect } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { jsonPathAt, valuesIn } from './json-path.ts'

/** How long a text may be read to find what was folded in the one before, ms; after that it opens unfolded. */
const PATIENCE_MS = 20

/** What was folded before, by the path of the value (RFC 9535). */
export interface FoldMemory {
  readonly folded: () => readonly string[]
  readonly note: (path: string, isFolded: boolean) => void
}

/** Notes what is folded and unfolded, and folds the same values again in each text that comes. */
export function sameFolds(memory: FoldMemory): Extension {
  return EditorView.updateListener.of(({ transactions, docChanged, state, view }) => {
    for (const effect of transactions.flatMap(({ effects }) => effects)) {
      if (!effect.is(foldEffect) && !effect.is(unfoldEffect)) continue
      // A fold begins after its bracket.
      const path = jsonPathAt(state, effect.value.from - 1)
      const isFolded = effect.is(foldEffect)
      if (path !== undefined && memory.folded().includes(path) !== isFolded) memory.note(path, isFolded)
    }
    // An update can't be followed by another one before it is over.
    if (docChanged) queueMicrotask(() => foldAgain(view, memory))
  })
}

/** Folds what was folded in the text before. */
export function foldAgain(view: EditorView, memory: FoldMemory): void {
  const effects = foldsIn(view.state, memory.folded())
  if (effects.length > 0) view.dispatch({ effects })
}

function foldsIn(state: EditorState, paths: readonly string[]): readonly StateEffect<unknown>[] {
  const tree = paths.length === 0 ? null : ensureSyntaxTree(state, state.doc.length, PATIENCE_MS)
  if (tree === null) return []
  const folded = foldedRanges(state)
  const effects: StateEffect<unknown>[] = []
  for (const { path, from, to } of valuesIn(state, tree, paths)) {
    let isFolded = false
    folded.between(from + 1, to - 1, (start, end) => {
      isFolded ||= start === from + 1 && end === to - 1
    })
    if (paths.includes(path) && to - from > 2 && !isFolded) effects.push(foldEffect.of({ from: from + 1, to: to - 1 }))
  }
  return effects
}
