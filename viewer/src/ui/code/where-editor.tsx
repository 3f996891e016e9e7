import { autocompletion, type Completion, type CompletionContext, completionKeymap, startCompletion } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { EditorState } from '@codemirror/state'
import { drawSelection, EditorView, keymap, placeholder } from '@codemirror/view'
import { useEffect, useRef } from 'react'
import type { WhereWord } from '../../model/where-completion.ts'
import { completionLook, textLook } from './json-setup.ts'

interface WhereEditorProps {
  readonly text: string
  readonly describedBy: string
  readonly invalid: boolean
  readonly onChange: (text: string) => void
  /** Enter, while nothing is being completed. */
  readonly onSend: () => void
  /** What can follow a path such as `input`, `user`. */
  readonly words: (path: readonly string[]) => readonly WhereWord[]
}

/** A condition on one line, completed from what the run holds. */
export default function WhereEditor({ text, describedBy, invalid, onChange, onSend, words }: WhereEditorProps) {
  const place = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView | undefined>(undefined)
  const latest = useRef({ text, onChange, onSend, words })
  latest.current = { text, onChange, onSend, words }
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
          keymap.of(completionKeymap),
          keymap.of([
            { key: 'Enter', run: send },
            { key: 'Ctrl-Space', run: startCompletion },
          ]),
          autocompletion({ override: [(context) => complete(context, latest.current.words)], icons: false, closeOnBlur: true }),
          history(),
          drawSelection(),
          keymap.of([...defaultKeymap, ...historyKeymap]),
          placeholder('input.city == "Oslo"'),
          // A condition is one line, also when several are pasted.
          EditorState.transactionFilter.of((transaction) => (transaction.newDoc.lines > 1 ? [] : transaction)),
          EditorView.contentAttributes.of({ 'aria-label': 'When', 'aria-describedby': describedBy, spellcheck: 'false' }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) latest.current.onChange(update.state.doc.toString())
          }),
          completionLook,
          textLook,
        ],
      }),
    })
    view.current = editor
    return () => {
      view.current = undefined
      editor.destroy()
    }
  }, [describedBy])
  useEffect(() => {
    view.current?.contentDOM.setAttribute('aria-invalid', String(invalid))
  }, [invalid])
  return <div ref={place} data-invalid={invalid} />
}

function complete(context: CompletionContext, words: WhereEditorProps['words']) {
  const before = context.matchBefore(/[A-Za-z_][\w.]*$/)
  if (before === null && !context.explicit) return null
  const path = (before?.text ?? '').split('.')
  const typed = path.pop() ?? ''
  const options = words(path).map(
    ({ label, detail, type }): Completion => ({
      label,
      detail,
      type: type === 'field' ? 'property' : 'method',
      boost: type === 'field' ? 1 : 0,
    }),
  )
  return options.length === 0 ? null : { from: context.pos - typed.length, options, validFor: /^\w*$/ }
}
