const MAX_OPERATOR_LENGTH = 64

/** A name that a person gave themselves, as one printable line of at most 64 characters; undefined when nothing is left of it. */
export function cleanOperator(operator: unknown): string | undefined {
  if (typeof operator !== 'string') return undefined
  const line = operator
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
  return line === '' ? undefined : [...line].slice(0, MAX_OPERATOR_LENGTH).join('')
}
