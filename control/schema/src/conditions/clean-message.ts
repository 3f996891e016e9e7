const MAX_MESSAGE_LENGTH = 200

/** One printable line of at most 200 characters. */
export function cleanMessage(message: string): string {
  const line = message
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
  return [...line].slice(0, MAX_MESSAGE_LENGTH).join('')
}
