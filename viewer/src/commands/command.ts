import type { Viewer } from '../ui/viewer-context.tsx'

/** What a command acts on. */
export interface CommandContext extends Viewer {
  /** Path and query of the page. */
  readonly address: { readonly path: string; readonly query: string }
  readonly navigate: (address: string, options?: { replace?: boolean }) => void
}

export const COMMAND_GROUPS = ['Held call', 'Run', 'Runs list', 'Compare', 'View', 'Go'] as const
export type CommandGroup = (typeof COMMAND_GROUPS)[number]

export interface Command {
  readonly id: string
  readonly group: CommandGroup
  readonly title: string
  /** `c`, `F8`, `Shift+F8`, `Alt+ArrowUp`, or one after the other: `g r`. */
  readonly keys: readonly string[]
  /** Why it can't be used now, or undefined when it can. */
  readonly unavailable: (context: CommandContext) => string | undefined
  readonly run: (context: CommandContext) => void
}
