import { standardKeymap } from '@codemirror/commands'
import { foldKeymap } from '@codemirror/language'
import { openSearchPanel, search, searchKeymap } from '@codemirror/search'
import { Compartment, EditorState } from '@codemirror/state'
import { drawSelection, EditorView, keymap } from '@codemirror/view'
import { Copy } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import { IconButton } from '../button.tsx'
import { useOpenedParts } from '../opened.ts'
import { type FoldMemory, foldAgain, sameFolds } from './json-folds.ts'
import { jsonPathAt } from './json-path.ts'
import { jsonBasics } from './json-setup.ts'
import styles from './json-view.module.css'
import { useEditor, useTextFromOutside } from './use-editor.ts'

interface JsonViewProps {
  readonly text: string
  readonly label: string
  /** Opens the search whenever it grows. */
  readonly finding: number
  /** Whether long lines go on in the next one. */
  readonly wrap: boolean
}

const wrapping = new Compartment()

/** JSON to read, with folding and the path of the value at the cursor; only what is on the screen is drawn, whatever its size. */
export default function JsonView({ text, label, finding, wrap }: JsonViewProps) {
  const [path, setPath] = useState<string>()
  const { set, closed } = useOpenedParts()
  const folds = useMemo(
    (): FoldMemory => ({ folded: () => closed(`${label} `), note: (at, isFolded) => set(`${label} ${at}`, !isFolded) }),
    [label, closed, set],
  )
  const { place, view } = useEditor({
    text,
    identity: label,
    extensions: (name) => [
      jsonBasics,
      wrapping.of(wrap ? EditorView.lineWrapping : []),
      search({ top: true }),
      drawSelection(),
      keymap.of([...searchKeymap, ...foldKeymap, ...standardKeymap]),
      sameFolds(folds),
      EditorState.readOnly.of(true),
      EditorView.editable.of(false),
      EditorView.contentAttributes.of({ 'aria-label': name, 'aria-readonly': 'true', tabindex: '0' }),
      EditorView.updateListener.of(({ docChanged, selectionSet, state }) => {
        // Where the cursor was in another text says nothing of this one.
        if (docChanged) setPath(undefined)
        else if (selectionSet) setPath(jsonPathAt(state, state.selection.main.head))
      }),
    ],
    opened: (editor) => foldAgain(editor, folds),
  })
  useTextFromOutside(view, text)
  useEffect(() => {
    view.current?.dispatch({ effects: wrapping.reconfigure(wrap ? EditorView.lineWrapping : []) })
  }, [view, wrap])
  useEffect(() => {
    if (finding > 0 && view.current !== undefined) openSearchPanel(view.current)
  }, [view, finding])
  return (
    <>
      <div ref={place} />
      {path !== undefined && (
        <p className={styles.path}>
          <code>{path}</code>
          <IconButton label="Copy path" onClick={() => navigator.clipboard.writeText(path).catch(console.warn)}>
            <Copy size={13} aria-hidden="true" />
          </IconButton>
        </p>
      )}
    </>
  )
}
