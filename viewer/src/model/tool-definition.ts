import type { PausePicture, RunPicture } from '@graphmind-ai/schema'
import type { PauseAction } from './pauses.ts'
import { isObject, textOf } from './values.ts'

/** What a run itself tells of a tool. */
export interface ToolDefinition {
  /** JSON Schema of what the tool takes, as it was declared; undefined when none was. */
  readonly input: unknown
  /** Its server says that it only reads, or that running it again changes nothing more (MCP's annotations). */
  readonly repeatable: boolean
}

/** The definition of the tool that a hold is at, from the last model call that was offered it or the last list of a server’s tools; undefined when neither names it. */
export function toolDefinition(pause: PausePicture, picture: RunPicture): ToolDefinition | undefined {
  if (pause.kind !== 'tool') return undefined
  for (const { input, output } of [...picture.instances.values()].reverse()) {
    for (const holder of [input, output]) {
      const tools = isObject(holder) ? holder['tools'] : undefined
      if (!Array.isArray(tools)) continue
      for (const tool of tools) {
        if (isObject(tool) && nameOf(tool) === pause.name) return definitionOf(tool)
      }
    }
  }
  return undefined
}

/** Some dialects put the definition one level further in. */
function innerOf(tool: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return [tool['function'], tool['toolSpec'], tool['json_schema']].find(isObject) ?? tool
}

function nameOf(tool: Readonly<Record<string, unknown>>): string | undefined {
  return textOf(innerOf(tool)['name']) ?? textOf(tool['name']) ?? textOf(tool['toolName'])
}

function definitionOf(tool: Readonly<Record<string, unknown>>): ToolDefinition {
  const inner = innerOf(tool)
  const declared = inner['inputSchema'] ?? inner['input_schema'] ?? inner['parameters']
  const annotations = isObject(tool['annotations']) ? tool['annotations'] : {}
  return {
    // Bedrock wraps the schema once more.
    input: isObject(declared) && isObject(declared['json']) ? declared['json'] : declared,
    repeatable: annotations['readOnlyHint'] === true || annotations['idempotentHint'] === true,
  }
}

/** Whether an action runs a call that ran before. */
export function repeats(action: PauseAction, pause: PausePicture): boolean {
  return pause.point !== 'before' && (action === 'retry' || action === 'edit')
}

/** What to know before a held call is run again; undefined where nothing ran yet, and where its tool is known to be repeatable. */
export function repeatCaution(pause: PausePicture, picture: RunPicture): string | undefined {
  if (pause.kind !== 'tool' || pause.point === 'before' || toolDefinition(pause, picture)?.repeatable === true) return undefined
  return 'Run again, this tool may do a second time what it already did.'
}
