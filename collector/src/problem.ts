/** An expected failure, with words a user can act on. */
export interface Problem {
  readonly code: string
  readonly message: string
}

export type Result<Value> = { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly problem: Problem }

export const ok = <Value>(value: Value): Result<Value> => ({ ok: true, value })
export const failed = (code: string, message: string): { readonly ok: false; readonly problem: Problem } => ({
  ok: false,
  problem: { code, message },
})

/** The words of something thrown; never a stack, which is for logs. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown)
}
