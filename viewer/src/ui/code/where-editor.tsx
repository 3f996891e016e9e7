import { autocompletion, type Completion, type CompletionContext, completionKeymap, startCompletion } from '@codemirror/autocomplete'
import { EditorState } from '@codemirror/state'
import { EditorView, keymap, placeholder } from '@codemirror/view'
import { useEffect, useRef } from 'react'
import type { WhereWord } from '../../model/where-completion.ts'
import { completionLook, textLook } from './json-setup.ts'
import { typing } from './typing.ts'
import { useEditor } from './use-editor.ts'

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
  const latest = useRef({ onChange, onSend, words })
  latest.current = { onChange, onSend, words }
  const send = () => {
    latest.current.onSend()
    return true
  }
  const { place, view } = useEditor({
    text,
    identity: describedBy,
    extensions: (id) => [
      keymap.of(completionKeymap),
      keymap.of([
        { key: 'Enter', run: send },
        { key: 'Ctrl-Space', run: startCompletion },
      ]),
      // Above, for what is wrong with the condition is said below it.
      autocompletion({
        override: [(context) => complete(context, latest.current.words)],
        icons: false,
        closeOnBlur: true,
        aboveCursor: true,
      }),
      typing((changed) => latest.current.onChange(changed)),
      placeholder('input.city == "Oslo"'),
      // A condition is one line, also when several are pasted.
      EditorState.transactionFilter.of((transaction) => (transaction.newDoc.lines > 1 ? [] : transaction)),
      EditorView.contentAttributes.of({ 'aria-label': 'When', 'aria-describedby': id, spellcheck: 'false' }),
      completionLook,
      textLook,
    ],
  })
  useEffect(() => {
    view.current?.contentDOM.setAttribute('aria-invalid', String(invalid))
  }, [view, invalid])
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
