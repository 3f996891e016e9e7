import { MergeView, unifiedMergeView } from '@codemirror/merge'
import { EditorState, type Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { useEffect, useRef } from 'react'
import { jsonBasics } from './json-setup.ts'

interface DiffViewProps {
  readonly before: string
  readonly after: string
  readonly label: string
  readonly sideBySide: boolean
}

const UNCHANGED = { margin: 3, minSize: 6 }

const look = EditorView.theme({
  '.cm-changedLine, .cm-insertedLine': { backgroundColor: 'var(--ok-soft)' },
  // As far in as a line that is there.
  '.cm-deletedChunk': { backgroundColor: 'var(--error-soft)', paddingLeft: '2px' },
  '&.cm-merge-a .cm-changedLine, .cm-deletedLine': { backgroundColor: 'var(--error-soft)' },
  '.cm-changedText': { background: 'none', borderBottom: '2px solid var(--ok)' },
  '&.cm-merge-a .cm-changedText, .cm-deletedChunk .cm-deletedText': { background: 'none', borderBottom: '2px solid var(--error)' },
  '.cm-collapsedLines': { color: 'var(--text-2)', background: 'var(--quiet-soft)', padding: '3px 8px' },
  // The library's own mark is in few fonts.
  '.cm-collapsedLines:before, .cm-collapsedLines:after': { content: '"⋯"' },
})

function readOnly(label: string): Extension {
  return [
    jsonBasics,
    EditorView.lineWrapping,
    look,
    EditorState.readOnly.of(true),
    EditorView.editable.of(false),
    EditorView.contentAttributes.of({ 'aria-label': label, 'aria-readonly': 'true', tabindex: '0' }),
  ]
}

/** Two texts with their differences marked by word; what is the same is folded. */
export default function DiffView({ before, after, label, sideBySide }: DiffViewProps) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const parent = place.current
    if (parent === null) return
    if (sideBySide) {
      const view = new MergeView({
        parent,
        a: { doc: before, extensions: readOnly(`${label}, before`) },
        b: { doc: after, extensions: readOnly(`${label}, after`) },
        collapseUnchanged: UNCHANGED,
        gutter: false,
      })
      return () => view.destroy()
    }
    const view = new EditorView({
      parent,
      state: EditorState.create({
        doc: after,
        extensions: [
          readOnly(label),
          unifiedMergeView({ original: before, mergeControls: false, collapseUnchanged: UNCHANGED, gutter: false }),
        ],
      }),
    })
    return () => view.destroy()
  }, [before, after, label, sideBySide])
  return <div ref={place} />
}
