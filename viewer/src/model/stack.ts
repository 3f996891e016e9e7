export interface StackFrame {
  readonly text: string
  /** From the program itself, not from a package or the runtime. */
  readonly own: boolean
}

// GraphMind's own frames are in node_modules too, but not where it is developed.
const LIBRARY = /node_modules|\bnode:|internal\/|<anonymous>\)?$|site-packages|\/lib\/python|native code|\/instrumentation\/otel\/dist\//

/** What the errors behind this one say, the nearest first, where the trace tells of them. */
export function causesIn(stack: string): readonly string[] {
  return [...stack.matchAll(/^\s*(?:\[cause\]|Caused by): *(.+)$/gm)].map(([, cause = '']) => cause.trim())
}

/** The frames of a stack trace, without its first line when that repeats the message. */
export function readStack(stack: string): readonly StackFrame[] {
  return stack
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.startsWith('at ') || line.startsWith('File ') || /@.*:\d+/.test(line))
    .map((text) => ({ text: text.replace('file://', ''), own: !LIBRARY.test(text) }))
}
