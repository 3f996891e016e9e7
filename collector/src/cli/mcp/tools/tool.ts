import type { ToolAnnotations } from '@modelcontextprotocol/sdk/types.js'
import type * as z from 'zod'
import type { Result } from '../../../problem.ts'
import type { ToolContext } from '../context.ts'

/** One tool: what a model is told of it, and what it does. */
export interface Tool<Shape extends z.ZodRawShape = z.ZodRawShape> {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly input: Shape
  readonly annotations: ToolAnnotations
  run(input: z.output<z.ZodObject<Shape>>, context: ToolContext): Promise<Result<unknown>>
}

export const READS: ToolAnnotations = { readOnlyHint: true, idempotentHint: true, openWorldHint: false }
/** Changes what a running program does. */
export const CONTROLS: ToolAnnotations = { readOnlyHint: false, destructiveHint: true, openWorldHint: false }
