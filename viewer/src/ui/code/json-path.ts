import { ensureSyntaxTree } from '@codemirror/language'
import type { EditorState } from '@codemirror/state'

/** How long a text may be read for its structure before there is no answer, ms. */
const PATIENCE_MS = 200

type SyntaxTree = NonNullable<ReturnType<typeof ensureSyntaxTree>>
type SyntaxNode = SyntaxTree['topNode']

/** The JSONPath (RFC 9535) of the innermost value or key at `position`, `$` for the whole; undefined where finding it takes too long. */
export function jsonPathAt(state: EditorState, position: number): string | undefined {
  const tree = ensureSyntaxTree(state, Math.min(position + 1, state.doc.length), PATIENCE_MS)
  if (tree === null) return undefined
  let path = ''
  for (let node: SyntaxNode | null = tree.resolveInner(position, 1); node !== null; node = node.parent) {
    if (node.name === 'Property') path = nameStep(state, node) + path
    else if (node.parent?.name === 'Array' && isValue(node)) path = `[${indexOf(node)}]${path}`
  }
  return `$${path}`
}

/** The objects and arrays on the way to these paths and at their ends, the outer ones first. */
export function valuesIn(
  state: EditorState,
  tree: SyntaxTree,
  paths: readonly string[],
): readonly { readonly path: string; readonly from: number; readonly to: number }[] {
  const found: { path: string; from: number; to: number }[] = []
  const enter = (node: SyntaxNode | null, path: string) => {
    if (node === null || !paths.some((wanted) => wanted.startsWith(path))) return
    if (node.name !== 'Object' && node.name !== 'Array') return
    found.push({ path, from: node.from, to: node.to })
    let index = 0
    for (let child = node.firstChild; child !== null; child = child.nextSibling) {
      if (child.name === 'Property') enter(child.lastChild, path + nameStep(state, child))
      else if (isValue(child)) enter(child, `${path}[${String(index++)}]`)
    }
  }
  enter(tree.topNode.firstChild, '$')
  return found
}

function nameStep(state: EditorState, property: SyntaxNode): string {
  const key = property.getChild('PropertyName')
  if (key === null) return ''
  const name: unknown = JSON.parse(state.sliceDoc(key.from, key.to))
  return typeof name === 'string' && /^[A-Za-z_]\w*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`
}

function indexOf(node: SyntaxNode): number {
  let index = 0
  for (let before = node.prevSibling; before !== null; before = before.prevSibling) if (isValue(before)) index += 1
  return index
}

/** Brackets and commas are nodes, too. */
function isValue(node: SyntaxNode): boolean {
  return /^[A-Z]/.test(node.name)
}
