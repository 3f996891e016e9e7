/** One line that a person types, and what they wait for. `{port}` and the like stand for what differs from run to run. */
export type Step =
  /** Runs to its end. */
  | { readonly run: string; readonly exit?: number; readonly keep?: { readonly [name: string]: RegExp } }
  /** Goes on in a terminal of its own, under this name, once it shows the pattern; its groups are kept by their names. */
  | { readonly start: string; readonly as: string; readonly until: RegExp }
  /** Presses Ctrl+C in that terminal, once it shows the pattern, and waits for its end. */
  | { readonly end: string; readonly until?: RegExp; readonly exit?: number }
  /** Not shown: makes a file that a step needs. */
  | { readonly file: string; readonly text: string }

export interface Session {
  readonly title: string
  readonly about: string
  readonly steps: readonly Step[]
}
