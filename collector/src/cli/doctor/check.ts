/** One thing that was looked at. */
export interface Check {
  readonly name: string
  /** `note`: works, and could surprise. `problem`: programs will not show up, or not be held, as it is. */
  readonly status: 'ok' | 'note' | 'problem'
  readonly message: string
  /** What to do about it. */
  readonly fix?: string
}

export const fine = (name: string, message: string): Check => ({ name, status: 'ok', message })
export const note = (name: string, message: string, fix: string): Check => ({ name, status: 'note', message, fix })
export const problem = (name: string, message: string, fix: string): Check => ({ name, status: 'problem', message, fix })
