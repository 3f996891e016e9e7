import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { jsonParseLinter } from '@codemirror/lang-json'
import { bracketMatching } from '@codemirror/language'
import { linter } from '@codemirror/lint'
import { EditorState } from '@codemirror/state'
import { drawSelection, EditorView, keymap } from '@codemirror/view'
import { useEffect, useRef } from 'react'
import { jsonBasics } from './json-setup.ts'

interface JsonEditorProps {
  readonly text: string
  readonly label: string
  readonly onChange: (text: string) => void
  /** Ctrl+Enter or ⌘+Enter. */
  readonly onSend: () => void
}

/** JSON to change. Takes the focus when it opens, for a person opened it to type; Tab moves on, as everywhere. */
export default function JsonEditor({ text, label, onChange, onSend }: JsonEditorProps) {
  const place = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView | undefined>(undefined)
  const latest = useRef({ text, onChange, onSend })
  latest.current = { text, onChange, onSend }
  useEffect(() => {
    if (place.current === null) return
    const send = () => {
      latest.current.onSend()
      return true
    }
    const editor = new EditorView({
      parent: place.current,
      state: EditorState.create({
        doc: latest.current.text,
        extensions: [
          keymap.of([{ key: 'Mod-Enter', run: send }]),
          jsonBasics,
          bracketMatching(),
          history(),
          drawSelection(),
          keymap.of([...defaultKeymap, ...historyKeymap]),
          linter(jsonParseLinter(), { delay: 150 }),
          EditorView.contentAttributes.of({ 'aria-label': label }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) latest.current.onChange(update.state.doc.toString())
          }),
        ],
      }),
    })
    view.current = editor
    editor.focus()
    // A lone null is only a stand-in: the first key replaces it.
    if (latest.current.text === 'null') editor.dispatch({ selection: { anchor: 0, head: editor.state.doc.length } })
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
  return <div ref={place} />
}
