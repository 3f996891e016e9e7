import { openSearchPanel, search, searchKeymap } from '@codemirror/search'
import { EditorState } from '@codemirror/state'
import { EditorView, keymap } from '@codemirror/view'
import { useEffect } from 'react'
import { jsonBasics } from './json-setup.ts'
import { useEditor, useTextFromOutside } from './use-editor.ts'

interface JsonViewProps {
  readonly text: string
  readonly label: string
  /** Opens the search whenever it grows. */
  readonly finding: number
}

/** JSON to read, with folding; only what is on the screen is drawn, whatever its size. */
export default function JsonView({ text, label, finding }: JsonViewProps) {
  const { place, view } = useEditor({
    text,
    identity: label,
    extensions: (name) => [
      jsonBasics,
      search({ top: true }),
      keymap.of(searchKeymap),
      EditorState.readOnly.of(true),
      EditorView.editable.of(false),
      EditorView.contentAttributes.of({ 'aria-label': name, 'aria-readonly': 'true', tabindex: '0' }),
    ],
  })
  useTextFromOutside(view, text)
  useEffect(() => {
    if (finding > 0 && view.current !== undefined) openSearchPanel(view.current)
  }, [view, finding])
  return <div ref={place} />
}
