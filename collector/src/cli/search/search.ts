import { ok, type Result } from '../../problem.ts'
import { type SearchHit, type SearchPage, search } from '../../store/reads/search.ts'
import { readSearchWish, type SearchWish } from '../../store/search/search-request.ts'
import type { Cli } from '../cli.ts'
import type { Console } from '../console.ts'
import { openRecords, type Records, type RecordsFlags, readableRun, runLink } from '../runs/records.ts'
import { printable } from '../show/printable.ts'
import { fillIndex } from './fill-index.ts'

export interface SearchFlags extends RecordsFlags, Omit<SearchWish, 'query'> {
  readonly run?: string
  readonly json?: boolean
}

/** `graphmind search`: names, inputs, outputs and errors of all runs that hold every word. */
export async function searchRuns(words: readonly string[], flags: SearchFlags, { console, environment }: Cli): Promise<Result<undefined>> {
  const records = await openRecords(flags, environment)
  if (!records.ok) return records
  try {
    const found = await searchRecords(
      records.value,
      { ...flags, query: words.map(quoted).join(' ') },
      { runId: flags.run, draw: console.draw },
    )
    if (!found.ok) return found
    if (flags.json === true) console.out(JSON.stringify(found.value))
    else for (const line of hitLines(found.value, records.value)) console.out(line)
    return ok(undefined)
  } finally {
    await records.value.close()
  }
}

/** What the shell took the quotes off is still one text. */
function quoted(word: string): string {
  return /\s/.test(word) && !word.includes('"') ? `"${word}"` : word
}

/** A page of hits; of one run when it is named. `draw` tells that it takes a while. */
export async function searchRecords(
  records: Records,
  wish: SearchWish,
  { runId, draw }: { readonly runId: string | undefined; readonly draw?: Console['draw'] },
): Promise<Result<SearchPage>> {
  const request = readSearchWish(wish)
  if (!request.ok) return request
  const run = runId === undefined ? undefined : await readableRun(records, runId)
  if (run?.ok === false) return run
  await fillIndex(records, draw)
  return search(records.database, { ...request.value, run: run?.value.key })
}

/** A page as a person reads it. */
export function hitLines({ hits, nextCursor, index }: SearchPage, { url, server }: Pick<Records, 'url' | 'server'>): readonly string[] {
  const lines = hits.flatMap((hit) => [placeOf(hit), `  ${snippetOf(hit)}`, `  ${runLink(url, hit.runId, hit.instanceId)}`])
  if (hits.length === 0) lines.push('Nothing has all these words. Fewer words, or the beginning of one, find more.')
  if (nextCursor !== null) lines.push('There are more: --limit shows up to 100, --json has the cursor of the next page.')
  if (index.waiting > 0)
    lines.push(
      `${index.waiting} of ${index.events} events are not in the index yet: ${server === undefined ? 'another command is writing to this database. Search again when it has ended.' : 'the server is reading them. Search again in a moment.'}`,
    )
  return lines
}

function placeOf({ runId, runName, nodeId, field, path }: SearchHit): string {
  return printable(
    `${nodeId ?? 'a call'}: ${field}${path === '' || path === field ? '' : ` ${path}`}, in ${runName === '' ? runId : runName}`,
  )
}

function snippetOf({ snippet: { text, cutBefore, cutAfter } }: SearchHit): string {
  return printable(`${cutBefore ? '… ' : ''}${text.replaceAll('\n', ' ')}${cutAfter ? ' …' : ''}`)
}
