import type { ErrorInfo, TokenUsage } from '@graphmind-ai/schema'
import { type Fields, isFields } from '../json-fields.ts'
import { storable } from '../storable.ts'
import { fieldOf, messageTypeOf, text } from './read-frame.ts'
import type { ServiceNode } from './services.ts'

const NS = 'https://trustgraph.ai/ns/'
const TYPE = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#type'
const STEP: ServiceNode = { nodeId: 'llm:step', kind: 'llm', name: 'step' }
/** The agent without streaming of the 2.1 gateway names the kind of a frame by the field it fills. */
const PLAIN_FIELDS = ['thought', 'observation', 'answer'] as const

/** What a frame of an agent means for the nodes below it; `child` is `s1`, `t1` and so on. */
export type StepEffect =
  | { readonly type: 'started'; readonly child: string; readonly node: ServiceNode; readonly input?: unknown }
  /** Without `child` the text is the agent's own answer. */
  | { readonly type: 'text'; readonly child?: string; readonly channel: 'text' | 'reasoning'; readonly text: string }
  | { readonly type: 'finished'; readonly child: string; readonly node: ServiceNode; readonly output: unknown; readonly extras?: Fields }
  | { readonly type: 'failed'; readonly child: string; readonly node: ServiceNode; readonly error: ErrorInfo }
  | { readonly type: 'aborted'; readonly child: string; readonly node: ServiceNode }

interface Step {
  readonly child: string
  readonly messageId: string | undefined
  thought: string
  isWhole: boolean
}

interface Tool {
  readonly child: string
  readonly node: ServiceNode
  /** Nobody has named it yet. */
  readonly isUnnamed: boolean
  isObserved: boolean
  output: string
}

interface Action {
  readonly name: string
  readonly arguments?: unknown
  readonly usage?: TokenUsage
  readonly model?: string
}

/** The steps of one agent request, read from its frames: thoughts, actions, observations, answers. They are told and never held. */
export class AgentSteps {
  #step: Step | undefined
  #tool: Tool | undefined
  #steps = 0
  #tools = 0
  /** All answer text so far. */
  answer = ''

  take(response: Fields): readonly StepEffect[] {
    const plain = PLAIN_FIELDS.find((name) => text(response[name]) !== undefined)
    const content = text(response['content']) ?? (plain === undefined ? '' : (text(response[plain]) ?? ''))
    switch (messageTypeOf(response) ?? plain) {
      case 'thought':
        return this.#thought(response, content)
      case 'action':
        return content === '' ? [] : this.#action({ name: content })
      case 'observation':
        return this.#observation(content)
      case 'answer':
      case 'final-answer':
        this.answer += content
        return [...this.#closeTool(), ...(content === '' ? [] : [{ type: 'text' as const, channel: 'text' as const, text: content }])]
      case 'explain':
        return this.#explain(readTriples(response['explain_triples']))
      default:
        return []
    }
  }

  /** The request is over: what is still open ended with it, or was broken off. */
  end(isOk: boolean): readonly StepEffect[] {
    if (isOk) return [...this.#closeStep(), ...this.#closeTool()]
    const open = [this.#step === undefined ? [] : [{ ...this.#step, node: STEP }], this.#tool ?? []].flat()
    this.#step = undefined
    this.#tool = undefined
    return open.map(({ child, node }) => ({ type: 'aborted', child, node }))
  }

  #thought(response: Fields, content: string): StepEffect[] {
    const messageId = text(fieldOf(response, 'message_id'))
    const isNext = this.#step === undefined || this.#step.isWhole || this.#step.messageId !== messageId
    const effects: StepEffect[] = isNext ? [...this.#closeStep(), ...this.#openStep(messageId)] : []
    const step = this.#step
    if (step === undefined) return effects
    step.thought += content
    step.isWhole = fieldOf(response, 'end_of_message') === true
    if (content !== '') effects.push({ type: 'text', child: step.child, channel: 'reasoning', text: content })
    return effects
  }

  #openStep(messageId: string | undefined): StepEffect[] {
    this.#steps += 1
    const child = `s${this.#steps}`
    this.#step = { child, messageId, thought: '', isWhole: false }
    return [{ type: 'started', child, node: STEP }]
  }

  #action(action: Action): StepEffect[] {
    const { name, arguments: input } = action
    if (this.#tool?.isUnnamed === true) return this.#closeTool({ action: name, arguments: input })
    return [...this.#closeStep(action), ...this.#closeTool(), ...this.#openTool(name, input)]
  }

  #observation(content: string): StepEffect[] {
    const effects = this.#closeStep()
    if (this.#tool === undefined) effects.push(...this.#openTool(undefined, undefined))
    if (this.#tool !== undefined) {
      this.#tool.output += content
      this.#tool.isObserved = true
    }
    return effects
  }

  #explain(triples: Triples): StepEffect[] {
    const name = triples.get(`${NS}action`)
    if (name !== undefined) return this.#action({ name, ...argumentsOf(triples), ...modelCallOf(triples) })
    const isObserved = triples.types.includes(`${NS}Observation`) || (triples.isEmpty && this.#tool?.isObserved === true)
    if (!isObserved) return []
    const failure = triples.get(`${NS}toolError`)
    if (failure === undefined || this.#tool === undefined) return this.#closeTool()
    const { child, node } = this.#tool
    this.#tool = undefined
    return [{ type: 'failed', child, node, error: { name: 'ToolError', message: failure } }]
  }

  #openTool(name: string | undefined, input: unknown): StepEffect[] {
    // Numbered like the step that called it; a step that calls two tools, or none that was told, moves the number on.
    this.#tools = Math.max(this.#tools + 1, this.#steps)
    const child = `t${this.#tools}`
    const shown = storable(name ?? 'action')
    const node: ServiceNode = { nodeId: storable(`tool:${shown}`), kind: 'tool', name: shown }
    this.#tool = { child, node, isUnnamed: name === undefined, isObserved: false, output: '' }
    return [{ type: 'started', child, node, ...(input === undefined ? {} : { input }) }]
  }

  #closeStep(action?: Action): StepEffect[] {
    const step = this.#step
    if (step === undefined) return []
    this.#step = undefined
    const called =
      action === undefined ? {} : { action: action.name, ...(action.arguments === undefined ? {} : { arguments: action.arguments }) }
    const extras = {
      ...(action?.usage === undefined ? {} : { usage: action.usage }),
      ...(action?.model === undefined ? {} : { model: action.model }),
    }
    return [{ type: 'finished', child: step.child, node: STEP, output: { thought: step.thought, ...called }, extras }]
  }

  #closeTool(extras: Fields = {}): StepEffect[] {
    const tool = this.#tool
    if (tool === undefined) return []
    this.#tool = undefined
    return [{ type: 'finished', child: tool.child, node: tool.node, output: tool.output, extras }]
  }
}

interface Triples {
  readonly isEmpty: boolean
  readonly types: readonly string[]
  readonly get: (predicate: string) => string | undefined
}

/** The triples of an explain frame, as far as they can be read. */
export function readTriples(value: unknown): Triples {
  const rows = (Array.isArray(value) ? value : []).flatMap((triple: unknown) => {
    if (!isFields(triple)) return []
    const [predicate, object] = [termOf(triple['p']), termOf(triple['o'])]
    return predicate === undefined || object === undefined ? [] : [{ predicate, object }]
  })
  return {
    isEmpty: rows.length === 0,
    types: rows.filter(({ predicate }) => predicate === TYPE).map(({ object }) => object),
    get: (wanted) => rows.find(({ predicate }) => predicate === wanted)?.object,
  }
}

function termOf(term: unknown): string | undefined {
  return isFields(term) ? (text(term['i']) ?? text(term['v'])) : undefined
}

function argumentsOf(triples: Triples): { readonly arguments?: unknown } {
  const json = triples.get(`${NS}arguments`)
  if (json === undefined) return {}
  try {
    return { arguments: JSON.parse(json) }
  } catch {
    // The model wrote them; what is no JSON is shown as it is.
    return { arguments: json }
  }
}

function modelCallOf(triples: Triples): { readonly usage?: TokenUsage; readonly model?: string } {
  const [input, output] = [triples.get(`${NS}inToken`), triples.get(`${NS}outToken`)].map((count) => Number(count ?? Number.NaN))
  const model = triples.get(`${NS}llmModel`)
  const isCounted = Number.isFinite(input) || Number.isFinite(output)
  const usage = { inputTokens: finiteOr0(input), outputTokens: finiteOr0(output) }
  return { ...(isCounted ? { usage } : {}), ...(model === undefined ? {} : { model }) }
}

function finiteOr0(value: number | undefined): number {
  return value !== undefined && Number.isFinite(value) ? value : 0
}
