/** A name without the id, hex tail or index that would make each execution a node of its own. */
export function stableName(name: string): string {
  const stripped = name
    .replace(/[\s_:/-]*\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, '')
    .replace(/[\s_:/-]*\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{16,}\b/gi, '')
    .trim()
  return (stripped === '' ? name : stripped).toWellFormed()
}
