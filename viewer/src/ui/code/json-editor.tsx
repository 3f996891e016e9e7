import { jsonParseLinter } from '@codemirror/lang-json'
import { bracketMatching } from '@codemirror/language'
import { linter } from '@codemirror/lint'
import { EditorView, keymap } from '@codemirror/view'
import { useRef } from 'react'
import { jsonBasics } from './json-setup.ts'
import { type Expected, shapeHints } from './shape-hints.ts'
import { typing } from './typing.ts'
import { useEditor, useTextFromOutside } from './use-editor.ts'

interface JsonEditorProps {
  readonly text: string
  readonly label: string
  /** What the text should hold, where that is known; hints only. As it is when the editor opens. */
  readonly expected: Expected | undefined
  readonly onChange: (text: string) => void
  /** Ctrl+Enter or ⌘+Enter. */
  readonly onSend: () => void
}

/** JSON to change. Takes the focus when it opens, for a person opened it to type; Tab moves on, as everywhere. */
export default function JsonEditor({ text, label, expected, onChange, onSend }: JsonEditorProps) {
  const latest = useRef({ onChange, onSend })
  latest.current = { onChange, onSend }
  const send = () => {
    latest.current.onSend()
    return true
  }
  const { place, view } = useEditor({
    text,
    identity: label,
    extensions: (name) => [
      keymap.of([{ key: 'Mod-Enter', run: send }]),
      jsonBasics,
      EditorView.lineWrapping,
      bracketMatching(),
      typing((changed) => latest.current.onChange(changed)),
      linter(jsonParseLinter(), { delay: 150 }),
      expected === undefined ? [] : shapeHints(expected),
      EditorView.contentAttributes.of({ 'aria-label': name }),
    ],
    opened(editor) {
      editor.focus()
      // A lone null is only a stand-in: the first key replaces it.
      if (text === 'null') editor.dispatch({ selection: { anchor: 0, head: editor.state.doc.length } })
    },
  })
  useTextFromOutside(view, text)
  return <div ref={place} />
}
