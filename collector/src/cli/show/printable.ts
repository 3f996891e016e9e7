/** Recorded text as a terminal may show it: control characters, which can move the cursor or rename the window, become `�`. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu, '\ufffd')
}

/** The same for text of several lines. */
export function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n')
}

/** A word that a shell reads as exactly this text. */
export function shellWord(text: string): string {
  return /^[\w.:@/+][\w.:@/+-]*$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
