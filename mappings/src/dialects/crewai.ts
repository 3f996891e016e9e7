import type { Dialect } from '../dialect.ts'
import type { MappedSpan } from '../mapped-span.ts'
import { openInferenceNode, spanKindOf } from '../openinference/nodes.ts'
import { inputValue } from '../openinference/value.ts'
import { textOf } from '../read/attribute.ts'
import { contentOf } from '../read/content.ts'
import { isRecord } from '../read/is-record.ts'
import { parseJsonText } from '../read/json-text.ts'
import { stableName } from '../read/stable-name.ts'
import type { SpanView } from '../span-view.ts'

const DIALECT = 'crewai'

/** CrewAI through OpenInference: names are `<crew>.kickoff`, `<role>._execute_core`, `<tool>._use`. */
export const crewAi: Dialect = {
  name: DIALECT,
  claims: (span) =>
    span.scope.name.includes('openinference.instrumentation.crewai') && typeof span.attributes['openinference.span.kind'] === 'string',
  map: mapCrewAi,
  metadataKeys: ['crew_key', 'crew_id', 'task_key', 'task_id'],
}

function mapCrewAi(span: SpanView): MappedSpan {
  const { attributes } = span
  const name = textOf(attributes, 'tool.name', 'graph.node.id') ?? stableName(span.name.replace(/\.\w+$/, ''))
  const input = inputValue(attributes)
  if (spanKindOf(attributes) === 'TOOL' && isRecord(input) && typeof input['tool_string'] === 'string') {
    return openInferenceNode(DIALECT, span, { input: parseJsonText(input['tool_string']) }, name)
  }
  return openInferenceNode(
    DIALECT,
    span,
    {
      extras: {
        agents: contentOf(attributes, 'crew_agents'),
        tasks: contentOf(attributes, 'crew_tasks'),
        follows: textOf(attributes, 'graph.node.parent_id'),
      },
    },
    name,
  )
}
