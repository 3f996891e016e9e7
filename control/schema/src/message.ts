import type * as z from 'zod/mini'

/** One entry of the contract: a message type, what it says, how its payload looks, and one example. */
export interface MessageDefinition<Type extends string, Payload extends z.ZodMiniType> {
  readonly type: Type
  readonly summary: string
  readonly payload: Payload
  readonly example: z.input<Payload>
}

export function defineMessage<const Type extends string, Payload extends z.ZodMiniType>(
  definition: MessageDefinition<Type, Payload>,
): MessageDefinition<Type, Payload> {
  return definition
}
