import type { InstancePicture, RunPicture } from '@graphmind-ai/schema'
import { type ChatMessage, type ChatPart, readChat } from './chat.ts'
import { nodeOf } from './rows.ts'
import { prettyJson } from './values.ts'

/** Two texts to look at side by side, with what each of them is. */
export interface Comparison {
  readonly id: 'edited' | 'injected' | 'prompt' | 'input' | 'output'
  readonly title: string
  readonly before: { readonly title: string; readonly text: string }
  readonly after: { readonly title: string; readonly text: string }
}

/** The call of the same node before this one. */
export function previousOf(picture: RunPicture, instance: InstancePicture): string | undefined {
  const ids = nodeOf(picture, instance.nodeId)?.instanceIds ?? []
  return ids[ids.indexOf(instance.id) - 1]
}

/** What a call can be compared by: what a person changed in it, then its prompt, input and output against `otherId`'s. */
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
  const [mine, theirs] = [promptOf(instance), promptOf(other)]
  if (mine !== undefined && theirs !== undefined) found.push(pair('prompt', 'Prompt', theirs, mine))
  if (instance.input !== undefined || other.input !== undefined) {
    found.push(pair('input', 'Input', textOf(other.input), textOf(instance.input)))
  }
  if (instance.output !== undefined || other.output !== undefined) {
    found.push(pair('output', 'Output', textOf(other.output), textOf(instance.output)))
  }
  return found
}

function pair(id: Comparison['id'], title: string, before: string, after: string): Comparison {
  return { id, title, before: { title: 'The other run of this node', text: before }, after: { title: 'This one', text: after } }
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
function promptOf(instance: InstancePicture): string | undefined {
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
