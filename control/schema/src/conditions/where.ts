import type { ASTNode, Environment, ParseResult } from '@marcbachmann/cel-js'
import { cleanMessage } from './clean-message.ts'
import type { Compiled, Condition, ConditionFacts, Verdict } from './condition.ts'
import { type CompileRegex, loadRegex } from './safe-regex.ts'

type Field = keyof ConditionFacts
/** What a condition may ask about, with the type it has in the language. */
export const CONDITION_FIELDS: Readonly<Record<Field, string>> = {
  input: 'dyn',
  output: 'dyn',
  usage: 'dyn',
  error: 'dyn',
  name: 'string',
  kind: 'string',
  duration: 'double',
}
const LIMITS = { maxAstNodes: 500, maxDepth: 50, maxListElements: 200, maxMapEntries: 200, maxCallArguments: 16 }
/** A loop in a loop is the most a condition may do: each further one multiplies its time by the length of a list. */
const MAX_LOOPS = 2
const LOOPS = new Set(['all', 'exists', 'exists_one', 'map', 'filter'])
/** What the language says when a condition asks for something that is not there. */
const ABSENT = new Set(['no_such_key', 'unknown_variable', 'index_out_of_bounds'])

/**
 * Reads a `where` condition in CEL, the Common Expression Language: it always ends, sees only the facts it is handed, and nothing in
 * it is run as code. The language is loaded here, by the first such condition. `plain` makes a value the way it is recorded, because
 * the language knows no classes, and a getter of the host must not run in the middle of a condition. Never rejects.
 */
export async function compileWhere(source: string, plain: (value: unknown) => unknown): Promise<Compiled<Condition>> {
  try {
    const { Environment } = await import('@marcbachmann/cel-js')
    const environment = environmentOf(Environment)
    const parts = partsOf(environment.parse(source).ast)
    if (parts.loops > MAX_LOOPS) return { ok: false, problem: `A condition may have at most ${MAX_LOOPS} loops inside each other.` }
    if (parts.patterns.length > 0) addPatterns(environment, await loadRegex())
    const ask = environment.parse(withSafePatterns(source, parts.patterns))
    const { valid, type, error } = ask.check()
    if (!valid) return { ok: false, problem: wordsOf(error) }
    if (type !== 'bool' && type !== 'dyn') return { ok: false, problem: `A condition is true or false, not ${type}.` }
    return { ok: true, test: (facts) => verdictOf(ask, facts, parts.fields, plain) }
  } catch (error) {
    return { ok: false, problem: wordsOf(error) }
  }
}

function environmentOf(Language: typeof Environment): Environment {
  const environment = new Language({ homogeneousAggregateLiterals: false, limits: LIMITS })
  for (const [name, type] of Object.entries(CONDITION_FIELDS)) environment.registerVariable(name, type)
  // JSON has one kind of number, so `input.nights * 2` has to work whatever the language takes each side for.
  const arithmetic: Readonly<Record<string, (left: number, right: number) => number>> = {
    '+': (left, right) => left + right,
    '-': (left, right) => left - right,
    '*': (left, right) => left * right,
    '/': (left, right) => left / right,
    '%': (left, right) => left % right,
  }
  for (const [operator, compute] of Object.entries(arithmetic)) {
    const onNumbers = (left: number | bigint, right: number | bigint) => compute(Number(left), Number(right))
    environment.registerOperator(`double ${operator} int`, onNumbers).registerOperator(`int ${operator} double`, onNumbers)
  }
  return environment.registerOperator('double % double', (left: number, right: number) => left % right)
}

interface Parts {
  readonly fields: ReadonlySet<string>
  /** Calls of `matches`. */
  readonly patterns: readonly { readonly start: number; readonly end: number }[]
  /** How deep loops are nested. */
  readonly loops: number
}

function partsOf(root: ASTNode): Parts {
  const fields = new Set<string>()
  const patterns: { start: number; end: number }[] = []
  let loops = 0
  const left: { readonly value: unknown; readonly depth: number }[] = [{ value: root, depth: 0 }]
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { value, depth } = next
    if (Array.isArray(value)) for (const child of value) left.push({ value: child, depth })
    if (!isNode(value)) continue
    if (value.op === 'id') fields.add(value.args)
    const isLoop = value.op === 'rcall' && LOOPS.has(value.args[0])
    if (isLoop) loops = Math.max(loops, depth + 1)
    if (value.op === 'rcall' && value.args[0] === 'matches') {
      patterns.push({ start: value.args[1].end, end: value.args[2][0]?.start ?? value.end })
    }
    left.push({ value: value.args, depth: isLoop ? depth + 1 : depth })
  }
  return { fields, patterns, loops }
}

function isNode(value: unknown): value is ASTNode {
  return typeof value === 'object' && value !== null && 'op' in value && 'args' in value
}

/** The language's own `matches` backtracks, so a condition could stall the program by its pattern. */
function withSafePatterns(source: string, patterns: Parts['patterns']): string {
  let safe = source
  for (const { start, end } of [...patterns].sort((left, right) => right.start - left.start)) {
    safe = safe.slice(0, start) + safe.slice(start, end).replace('matches', 'safeMatches') + safe.slice(end)
  }
  return safe
}

function addPatterns(environment: Environment, compile: CompileRegex): void {
  const tests = new Map<string, ReturnType<CompileRegex>>()
  environment.registerFunction('string.safeMatches(string): bool', (text: string, pattern: string) => {
    const known = tests.get(pattern) ?? compile(pattern)
    if (tests.size < 100) tests.set(pattern, known)
    if (!known.ok) throw new Error(known.problem)
    return known.test(text)
  })
}

function verdictOf(ask: ParseResult, facts: ConditionFacts, fields: ReadonlySet<string>, plain: (value: unknown) => unknown): Verdict {
  try {
    const known = Object.entries(facts).filter(([name, value]) => fields.has(name) && value !== undefined)
    const answer: unknown = ask(Object.fromEntries(known.map(([name, value]) => [name, typeof value === 'object' ? plain(value) : value])))
    return typeof answer === 'boolean' ? { holds: answer } : { error: 'A condition is true or false; this one gave something else.' }
  } catch (error) {
    const isAbsent = error instanceof Error && 'code' in error && ABSENT.has(String(error.code))
    return isAbsent ? { holds: false } : { error: wordsOf(error) }
  }
}

/** Only what went wrong: the lines below it draw the condition, and a cause may quote the value. */
function wordsOf(error: unknown): string {
  const words = error instanceof Error ? ('summary' in error ? String(error.summary) : error.message) : String(error)
  const line = words.split('\n')[0] ?? ''
  return /^Unexpected token: EOF|, got EOF/.test(line) ? 'The condition stops in the middle: something has to follow.' : cleanMessage(line)
}
