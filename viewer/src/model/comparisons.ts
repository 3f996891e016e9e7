import type { InstancePicture, RunPicture } from '@graphmind-ai/schema'
import { type ChatMessage, type ChatPart, readChat } from './chat.ts'
import { nodeOf } from './rows.ts'
import { prettyJson } from './values.ts'

/** Two texts to look at side by side, with what each of them is. */
export interface Comparison {
  readonly id: 'edited' | 'injected' | 'draft' | 'prompt' | 'input' | 'output' | 'error'
  readonly title: string
  readonly before: { readonly title: string; readonly text: string }
  readonly after: { readonly title: string; readonly text: string }
}

/** The call of the same node before this one. */
export function previousOf(picture: RunPicture, instance: InstancePicture): string | undefined {
  const ids = nodeOf(picture, instance.nodeId)?.instanceIds ?? []
  return ids[ids.indexOf(instance.id) - 1]
}

/** What a call can be compared by: what a person changed in it, then what went through it against `otherId`'s. */
export function comparisonsOf(picture: RunPicture, instance: InstancePicture, otherId: string | undefined): readonly Comparison[] {
  const found: Comparison[] = []
  if (instance.edited !== undefined) {
    found.push({
      id: 'edited',
      title: 'Input, before and after the edit',
      before: { title: 'As called', text: textOf(instance.input) },
      after: { title: 'Edited by a person', text: textOf(instance.edited.after) },
    })
  }
  if (instance.injected !== undefined) {
    found.push({
      id: 'injected',
      title: 'Output, before and after the inject',
      before: beforeInject(picture, instance),
      after: { title: 'Given by a person', text: textOf(instance.injected.output) },
    })
  }
  const other = otherId === undefined ? undefined : picture.instances.get(otherId)
  if (other === undefined) return found
  return [...found, ...pairComparisons(other, instance, { before: 'The other run of this node', after: 'This one' })]
}

/** What went through a call, as much of it as is compared. */
export type ComparedContents = Pick<InstancePicture, 'kind' | 'input' | 'output' | 'errors'>

/** Two calls by prompt, input, output and error; what neither has is left out. */
export function pairComparisons(
  before: ComparedContents,
  after: ComparedContents,
  titles: { readonly before: string; readonly after: string },
): readonly Comparison[] {
  const found: Comparison[] = []
  const add = (id: Comparison['id'], title: string, one: string, other: string) =>
    found.push({ id, title, before: { title: titles.before, text: one }, after: { title: titles.after, text: other } })
  const prompts = [promptOf(before), promptOf(after)] as const
  if (prompts[0] !== undefined && prompts[1] !== undefined) add('prompt', 'Prompt', prompts[0], prompts[1])
  if (before.input !== undefined || after.input !== undefined) add('input', 'Input', textOf(before.input), textOf(after.input))
  if (before.output !== undefined || after.output !== undefined) add('output', 'Output', textOf(before.output), textOf(after.output))
  if (before.errors.length > 0 || after.errors.length > 0) add('error', 'Error', errorText(before), errorText(after))
  return found
}

function errorText({ errors }: ComparedContents): string {
  return errors.map(({ name, message }) => `${name}: ${message}`).join('\n')
}

/** What would have been there without the inject: the held output, or the error it took the place of. */
function beforeInject(picture: RunPicture, instance: InstancePicture): Comparison['before'] {
  const pause = instance.pauseIds.map((id) => picture.pauses.get(id)).findLast((held) => held?.released?.action === 'inject')
  if (pause?.output !== undefined) return { title: 'The call’s own output', text: textOf(pause.output) }
  if (pause?.error !== undefined) return { title: 'The error it replaced', text: `${pause.error.name}: ${pause.error.message}` }
  return { title: 'Nothing: the call was skipped', text: '' }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : prettyJson(value)
}

/** The messages of a model call as plain text, so that a diff shows what was said and not how it was packed. */
function promptOf(instance: ComparedContents): string | undefined {
  if (instance.kind !== 'llm') return undefined
  return readChat(instance.input, 'user')?.map(messageText).join('\n\n')
}

function messageText({ role, parts }: ChatMessage): string {
  return `${role}:\n${parts.map(partText).join('\n')}`
}

function partText(part: ChatPart): string {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return part.text
    case 'call':
      return `→ ${part.name} ${prettyJson(part.input)}`
    case 'result':
      return `← ${part.name ?? 'result'} ${textOf(part.output)}`
    case 'media':
      return `[${part.media}]`
    case 'other':
      return prettyJson(part.value)
  }
}
