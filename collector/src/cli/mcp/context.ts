import { failed, messageOf, type Result } from '../../problem.ts'
import { openRecords, type Records, type RecordsFlags } from '../runs/records.ts'
import type { Environment } from '../settings.ts'

/** What the tools work on. The database is opened for each call: a server may come and go in between. */
export interface ToolContext {
  readonly flags: RecordsFlags
  readonly environment: Environment
}

/** Answers from the records; closes them after. */
export async function withRecords(
  { flags, environment }: ToolContext,
  answer: (records: Records) => Promise<Result<unknown>>,
): Promise<Result<unknown>> {
  const records = await openRecords(flags, environment)
  if (!records.ok) return records
  try {
    return await answer(records.value)
  } catch (error) {
    return failed('store', `The database could not be read: ${messageOf(error)}.`)
  } finally {
    await records.value.close()
  }
}
