import { json } from '@codemirror/lang-json'
import { codeFolding, foldGutter, HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--code-key)' },
  { tag: tags.string, color: 'var(--code-string)' },
  { tag: tags.number, color: 'var(--code-number)' },
  { tag: [tags.bool, tags.null], color: 'var(--code-atom)' },
])

/** How any text of ours looks in an editor. */
export const textLook: Extension = EditorView.theme({
  '&': { fontSize: '12px', color: 'var(--text)', backgroundColor: 'transparent' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '18px' },
  '.cm-content': { padding: '6px 0', caretColor: 'var(--text)' },
  '.cm-line': { padding: '0 10px 0 2px' },
  '.cm-gutters': { backgroundColor: 'transparent', border: 'none', color: 'var(--text-3)' },
  '.cm-foldGutter .cm-gutterElement': { width: '16px', textAlign: 'center', cursor: 'pointer' },
  '.cm-foldPlaceholder': {
    margin: '0 2px',
    padding: '0 5px',
    border: '1px solid var(--line-strong)',
    backgroundColor: 'var(--quiet-soft)',
    color: 'var(--text-2)',
  },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--selected)',
  },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--selected)', outline: '1px solid var(--line-strong)' },
  '.cm-panels': { backgroundColor: 'var(--panel)', color: 'var(--text)', borderColor: 'var(--line)' },
  '.cm-panels input, .cm-panels button': {
    border: '1px solid var(--line-strong)',
    borderRadius: '5px',
    background: 'var(--raised)',
    color: 'var(--text)',
    minHeight: '24px',
  },
  '.cm-searchMatch': { backgroundColor: 'var(--paused-soft)', outline: '1px solid var(--paused-line)' },
  '.cm-searchMatch-selected': { backgroundColor: 'var(--paused-line)' },
  '.cm-tooltip': { border: '1px solid var(--line-strong)', borderRadius: '6px', backgroundColor: 'var(--raised)', color: 'var(--text)' },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--error)' },
})

/** What every JSON text shares: colours from the tokens, and folding. */
export const jsonBasics: Extension = [
  json(),
  syntaxHighlighting(colours),
  codeFolding({ placeholderText: '…' }),
  foldGutter({ openText: '▾', closedText: '▸' }),
  textLook,
]

/** The list of what can be written next. */
export const completionLook: Extension = EditorView.theme({
  '.cm-line': { padding: '0 2px' },
  '.cm-content': { padding: '3px 5px' },
  '.cm-placeholder': { color: 'var(--text-3)' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mono)', fontSize: '12px', maxHeight: '220px' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '3px 8px', lineHeight: '18px' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': { backgroundColor: 'var(--selected)', color: 'var(--text)' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '600' },
  '.cm-completionDetail': { marginLeft: '1.2em', color: 'var(--text-3)', fontStyle: 'normal' },
})
