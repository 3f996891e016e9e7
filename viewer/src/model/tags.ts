/** The tags in a text, parted by commas, each once. */
export function readTags(text: string): readonly string[] {
  return [
    ...new Set(
      text
        .split(',')
        .map((tag) => tag.trim())
        .filter(Boolean),
    ),
  ]
}
