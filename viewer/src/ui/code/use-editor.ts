import { EditorState, type Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { type RefObject, useEffect, useRef } from 'react'

type View = RefObject<EditorView | undefined>

interface EditorSetup {
  /** The text it opens with. */
  readonly text: string
  /** The editor is made anew when this changes, and only then. */
  readonly identity: string
  readonly extensions: (identity: string) => Extension
  readonly opened?: (editor: EditorView) => void
}

/** An editor for the life of a component: `place` is the element that it fills. */
export function useEditor(setup: EditorSetup): { readonly place: RefObject<HTMLDivElement | null>; readonly view: View } {
  const place = useRef<HTMLDivElement>(null)
  const view: View = useRef(undefined)
  const latest = useRef(setup)
  latest.current = setup
  const { identity } = setup
  useEffect(() => {
    if (place.current === null) return
    const { text, extensions, opened } = latest.current
    const editor = new EditorView({ parent: place.current, state: EditorState.create({ doc: text, extensions: extensions(identity) }) })
    view.current = editor
    opened?.(editor)
    return () => {
      view.current = undefined
      editor.destroy()
    }
  }, [identity])
  return { place, view }
}

/** Puts a text that comes from elsewhere into the editor; what was typed in it is there already. */
export function useTextFromOutside(view: View, text: string): void {
  useEffect(() => {
    const editor = view.current
    if (editor === undefined || editor.state.doc.toString() === text) return
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: text } })
  }, [view, text])
}
