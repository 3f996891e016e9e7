import { openSearchPanel, search, searchKeymap } from '@codemirror/search'
import { EditorState } from '@codemirror/state'
import { EditorView, keymap } from '@codemirror/view'
import { useEffect, useRef } from 'react'
import { jsonBasics } from './json-setup.ts'

interface JsonViewProps {
  readonly text: string
  readonly label: string
  /** Opens the search whenever it grows. */
  readonly finding: number
}

/** JSON to read, with folding; only what is on the screen is drawn, whatever its size. */
export default function JsonView({ text, label, finding }: JsonViewProps) {
  const place = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView | undefined>(undefined)
  const latest = useRef(text)
  latest.current = text
  useEffect(() => {
    if (place.current === null) return
    const editor = new EditorView({
      parent: place.current,
      state: EditorState.create({
        doc: latest.current,
        extensions: [
          jsonBasics,
          search({ top: true }),
          keymap.of(searchKeymap),
          EditorState.readOnly.of(true),
          EditorView.editable.of(false),
          EditorView.contentAttributes.of({ 'aria-label': label, 'aria-readonly': 'true', tabindex: '0' }),
        ],
      }),
    })
    view.current = editor
    return () => {
      view.current = undefined
      editor.destroy()
    }
  }, [label])
  useEffect(() => {
    const editor = view.current
    if (editor === undefined || editor.state.doc.toString() === text) return
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: text } })
  }, [text])
  useEffect(() => {
    if (finding > 0 && view.current !== undefined) openSearchPanel(view.current)
  }, [finding])
  return <div ref={place} />
}
