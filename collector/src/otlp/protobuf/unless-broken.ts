import type { failed, Result } from '../../problem.ts'
import { BrokenBytes } from './cursor.ts'

/**
 * What `read` makes of its input, or `problem` when the bytes are broken. The input is passed along because a closure for each span would
 * cost.
 */
export function unlessBroken<Input, Value>(
  read: (input: Input) => Result<Value>,
  input: Input,
  problem: ReturnType<typeof failed>,
): Result<Value> {
  try {
    return read(input)
  } catch (error) {
    if (error instanceof BrokenBytes) return problem
    throw error
  }
}
