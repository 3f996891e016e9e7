import type { OtlpResource, OtlpScope } from '../otlp/otlp-json.ts'
import { writeLogs, writeTraces } from '../otlp/protobuf/write-groups.ts'
import type { ExportFormat } from './format.ts'
import { logGroups } from './log-groups.ts'
import { spanGroups } from './span-groups.ts'

/** OTLP protobuf. Messages of this type may be written after each other: together they are one message. */
export const otlpProto: ExportFormat = {
  contentType: 'application/x-protobuf',
  extension: 'pb',
  isRaw: true,

  async *write(database, run, mask) {
    const shown = (json: string) => mask?.json(json) ?? json
    for await (const groups of spanGroups(database, run.key)) {
      yield writeTraces(
        groups.map(({ spans, ...group }) => ({ ...surroundings(group, shown), items: spans.map((raw) => JSON.parse(shown(raw))) })),
      )
    }
    for await (const groups of logGroups(database, run)) {
      yield writeLogs(
        groups.map(({ records, ...group }) => ({
          ...surroundings(group, shown),
          items: records.map((record) => JSON.parse(shown(JSON.stringify(record)))),
        })),
      )
    }
  },
}

interface Surroundings {
  readonly resource: OtlpResource
  readonly scope: OtlpScope
}

function surroundings(group: Surroundings, shown: (json: string) => string): Surroundings {
  return JSON.parse(shown(JSON.stringify(group)))
}
