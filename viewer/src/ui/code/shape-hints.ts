import { autocompletion, type Completion, type CompletionContext, type CompletionResult } from '@codemirror/autocomplete'
import { ensureSyntaxTree } from '@codemirror/language'
import { type Diagnostic, linter } from '@codemirror/lint'
import type { EditorState, Extension } from '@codemirror/state'
import { type Shape, typeWords } from '../../model/json-shape.ts'
import { completionLook } from './json-setup.ts'

/** How long a text may be read for its structure before there are no hints, ms. */
const PATIENCE_MS = 100
/** A longer text gets no warnings: walking it would be felt with each key. */
const LONGEST = 200_000

type SyntaxNode = NonNullable<ReturnType<typeof ensureSyntaxTree>>['topNode']

/** What a text is expected to hold. */
export interface Expected {
  readonly shape: Shape
  /** Top-level fields that need not be written, as they stay what they are. */
  readonly kept: readonly string[]
}

/** Completes the names of fields, and warns of what the shape does not expect. It never forbids: whoever takes the value decides. */
export function shapeHints(expected: Expected): Extension {
  return [
    autocompletion({ override: [(context) => completeField(context, expected.shape)], icons: false }),
    completionLook,
    linter(({ state }) => shapeWarnings(state, expected), { delay: 150 }),
  ]
}

/** Where a text is not what is expected: fields that are missing or not declared, values of another type. Nothing while it is no JSON. */
export function shapeWarnings(state: EditorState, { shape, kept }: Expected): Diagnostic[] {
  if (state.doc.length > LONGEST) return []
  const value = ensureSyntaxTree(state, state.doc.length, PATIENCE_MS)?.topNode.firstChild ?? null
  const warnings: Diagnostic[] = []
  const warn = (from: number, to: number, message: string) => warnings.push({ from, to, severity: 'warning', message })
  const look = (node: SyntaxNode, expected: Shape, present: readonly string[]) => {
    const type = TYPES[node.name]
    if (type === undefined) return
    if (!hasType(state, node, type, expected) || !isChoice(state, node, expected)) {
      warn(node.from, node.to, `Expected ${typeWords(expected)}.`)
      return
    }
    if (node.name === 'Array' && expected.items !== undefined) {
      for (let item = node.firstChild; item !== null; item = item.nextSibling) look(item, expected.items, [])
    }
    if (node.name !== 'Object') return
    const names = new Set(present)
    for (const property of node.getChildren('Property')) {
      const key = property.getChild('PropertyName')
      const name = key === null ? undefined : nameAt(state, key)
      if (key === null || name === undefined) continue
      names.add(name)
      const field = expected.fields.get(name)
      if (field !== undefined && property.lastChild !== null) look(property.lastChild, field, [])
      if (field === undefined && !expected.open) warn(key.from, key.to, `No field “${name}” is declared.`)
    }
    const missing = expected.required.filter((name) => !names.has(name))
    if (missing.length > 0) warn(node.from, node.from + 1, `Missing: ${missing.join(', ')}.`)
  }
  if (value !== null) look(value, shape, kept)
  return warnings
}

const TYPES: Readonly<Record<string, string>> = {
  Object: 'object',
  Array: 'array',
  String: 'string',
  Number: 'number',
  True: 'boolean',
  False: 'boolean',
  Null: 'null',
}

function hasType(state: EditorState, node: SyntaxNode, type: string, { types }: Shape): boolean {
  if (types.length === 0 || types.includes(type)) return true
  return type === 'number' && types.includes('integer') && Number.isInteger(valueAt(state, node))
}

function isChoice(state: EditorState, node: SyntaxNode, { choices }: Shape): boolean {
  if (choices.length === 0) return true
  const written = JSON.stringify(valueAt(state, node))
  return choices.some((choice) => JSON.stringify(choice) === written)
}

function nameAt(state: EditorState, key: SyntaxNode): string | undefined {
  const name = valueAt(state, key)
  return typeof name === 'string' ? name : undefined
}

/** Undefined for what is half typed. */
function valueAt(state: EditorState, node: SyntaxNode): unknown {
  try {
    const value: unknown = JSON.parse(state.sliceDoc(node.from, node.to))
    return value
  } catch {
    return undefined
  }
}

/** The fields that the object at the cursor may have and has not yet. */
export function completeField(context: CompletionContext, shape: Shape): CompletionResult | null {
  const { state, pos } = context
  // A name can stand where an object begins or goes on.
  const typed = /[{,]\s*("?[\w$-]*)$/.exec(state.sliceDoc(Math.max(0, pos - 500), pos))?.[1]
  if (typed === undefined || (typed === '' && !context.explicit)) return null
  const tree = ensureSyntaxTree(state, pos, PATIENCE_MS)
  let node: SyntaxNode | null = tree?.resolveInner(pos - typed.length, -1) ?? null
  if (node?.name === 'String') return null
  while (node !== null && node.name !== 'Object' && node.name !== 'Array') node = node.parent
  if (node?.name !== 'Object') return null
  const written = node.getChildren('Property').flatMap((property) => {
    const key = property.getChild('PropertyName')
    // The one that is being typed is not written yet.
    return key === null || (key.from <= pos && pos <= key.to) ? [] : (nameAt(state, key) ?? [])
  })
  const at = shapeAt(state, node, shape)
  // What stands after the cursor of a name that is changed goes with it, and a colon that is there stays the only one.
  const rest = /^[\w$-]*"?/.exec(state.sliceDoc(pos, pos + 200))?.[0] ?? ''
  const hasColon = /^\s*:/.test(state.sliceDoc(pos + rest.length, pos + rest.length + 50))
  const options = [...(at?.fields ?? [])]
    .filter(([name]) => !written.includes(name))
    .map(
      ([name, field]): Completion => ({
        label: JSON.stringify(name),
        displayLabel: name,
        detail: typeWords(field),
        apply: hasColon ? JSON.stringify(name) : `${JSON.stringify(name)}: `,
        ...(field.description === undefined ? {} : { info: field.description }),
        boost: at?.required.includes(name) ? 1 : 0,
      }),
    )
  return options.length === 0 ? null : { from: pos - typed.length, to: pos + rest.length, options, filter: true }
}

/** What is expected of an object inside the text, by the names on the way to it. */
function shapeAt(state: EditorState, object: SyntaxNode, root: Shape): Shape | undefined {
  const { parent } = object
  if (parent === null || parent.name === 'JsonText') return root
  if (parent.name === 'Array') return shapeAt(state, parent, root)?.items
  const key = parent.getChild('PropertyName')
  const name = key === null ? undefined : nameAt(state, key)
  return parent.parent === null || name === undefined ? undefined : shapeAt(state, parent.parent, root)?.fields.get(name)
}
