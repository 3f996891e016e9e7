/** Headings of `graphmind --help`, in the order a new user needs them. */
export const GROUPS = {
  watch: 'Watch and hold an agent:',
  held: 'Held calls, for scripts and coding agents:',
  recorded: 'Recorded runs:',
  agents: 'Coding agents:',
  more: 'More:',
} as const

/** The end of a command's help: command lines to copy, each with what it does, and what to do after. */
export function examples(lines: readonly (readonly [command: string, does: string])[], next?: string): string {
  const width = Math.max(...lines.map(([command]) => command.length))
  const shown = lines.map(([command, does]) => `  ${command.padEnd(width)}  # ${does}`)
  return ['', 'Examples:', ...shown, ...(next === undefined ? [] : ['', `Next: ${next}`])].join('\n')
}
