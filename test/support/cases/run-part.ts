import { readFileSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { eventually } from '../eventually.ts'
import { compareHttp, compareImport, type SeenAnswer, type SeenImport } from './compare-answers.ts'
import { compareRuns } from './compare-run.ts'
import type { CasePart, CaseRequest, Expectation } from './expectation.ts'
import { type ShownRuns, shownRuns } from './shown-run.ts'

interface Seen {
  readonly shown: ShownRuns
  readonly answers: readonly SeenAnswer[]
  readonly imported: SeenImport | undefined
  readonly seconds: number
}

/** Runs one part of a case against a server with an empty store, once for each way in; returns what is wrong with each. */
export async function runPart(url: string, folder: string, { given, expect }: CasePart): Promise<readonly string[]> {
  const faults: string[] = []
  const attempt = async (way: string, act: () => Promise<Omit<Seen, 'shown' | 'seconds'>>) => {
    await emptyStore(url)
    const begun = performance.now()
    const acted = await act()
    const seen = { ...acted, shown: await settled(url), seconds: (performance.now() - begun) / 1000 }
    faults.push(...judge(expect, seen).map((fault) => `${way}: ${fault}`))
  }
  const { import: files, post, requests } = given
  if (files !== undefined) await attempt('import', async () => ({ answers: [], imported: await importFiles(url, folder, files) }))
  const posts = requests ?? (post === true ? (files ?? []).map(jsonPost) : [])
  if (posts.length > 0) {
    await attempt('post', async () => {
      const answers: SeenAnswer[] = []
      for (const request of posts) answers.push(await send(url, folder, request))
      return { answers, imported: undefined }
    })
  }
  return faults
}

function judge(expect: Expectation, seen: Seen): readonly string[] {
  if (expect.alternatives !== undefined) {
    const { alternatives, ...rest } = expect
    const tries = alternatives.map((alternative) => judge({ ...rest, ...alternative }, seen))
    return tries.find((faults) => faults.length === 0) ?? tries[0] ?? []
  }
  const { shown, answers, imported, seconds } = seen
  const raw = shown.raw.toString('latin1')
  return [
    ...(expect.runs === undefined ? [] : compareRuns(expect, shown)),
    ...answers.flatMap((answer, index) => compareHttp(expect.http?.[index] ?? {}, answer).map((fault) => `request ${index + 1}: ${fault}`)),
    ...(imported === undefined ? [] : compareImport(expect.import ?? { result: 'ok' }, imported)),
    ...(expect.withinSeconds !== undefined && seconds > expect.withinSeconds ? [`took ${seconds} s`] : []),
    ...(expect.outputIsValidUtf8 === true && !isValidUtf8(shown.raw, raw) ? ['the answers hold half characters'] : []),
    ...(expect.noNegativeDurations === true ? negativeDurations(shown) : []),
  ]
}

function isValidUtf8(bytes: Buffer, latin1: string): boolean {
  // An escaped backslash before the u makes it text, as in an attribute that holds JSON.
  const loneEscape = /(?<!\\)(?:\\\\)*\\u[dD][89abAB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F])/
  return Buffer.from(bytes.toString('utf8'), 'utf8').equals(bytes) && !loneEscape.test(latin1)
}

function negativeDurations({ runs }: ShownRuns): readonly string[] {
  const isNegative = (ms: number | null | undefined) => ms != null && ms < 0
  return runs
    .filter(({ info, instances }) => isNegative(info.durationMs) || instances.some(({ durationMs }) => isNegative(durationMs)))
    .map(({ info }) => `run ${info.id} has a negative duration`)
}

async function emptyStore(url: string): Promise<void> {
  const { runs } = (await (await fetch(`${url}/api/runs`)).json()) as { readonly runs: readonly { readonly id: string }[] }
  for (const { id } of runs) await fetch(`${url}/api/runs/${id}`, { method: 'DELETE' })
}

/** What is shown once nothing is waiting to be stored any more; answers come after the commit, so that is at once. */
function settled(url: string): Promise<ShownRuns> {
  return eventually(() => shownRuns(url), 'the runs')
}

async function importFiles(url: string, folder: string, files: readonly string[]): Promise<SeenImport> {
  const skippedLines: (number | null)[] = []
  const texts: string[] = []
  let read = 0
  for (const file of files) {
    const answer = await fetch(`${url}/api/import?file=${encodeURIComponent(file)}`, {
      method: 'POST',
      body: readFileSync(join(folder, file)),
    })
    const body = (await answer.json()) as { error?: string; skipped?: readonly { line: number | null; reason: string }[] }
    if (answer.ok) read += 1
    if (body.error !== undefined) texts.push(body.error)
    for (const { line, reason } of body.skipped ?? []) {
      skippedLines.push(line)
      texts.push(reason)
    }
  }
  return { result: read === 0 ? 'rejected' : skippedLines.length > 0 ? 'partial' : 'ok', skippedLines, text: texts.join('\n') }
}

function jsonPost(file: string): CaseRequest {
  return { method: 'POST', path: '/v1/traces', headers: { 'content-type': 'application/json' }, body: file }
}

function send(url: string, folder: string, { method, path, headers, body, chunked }: CaseRequest): Promise<SeenAnswer> {
  const bytes = body === null ? undefined : readFileSync(join(folder, body))
  return new Promise((resolve, reject) => {
    const sending = httpRequest(`${url}${path}`, { method, headers, agent: false }, (response) => {
      const pieces: Buffer[] = []
      response.on('data', (piece: Buffer) => pieces.push(piece))
      response.once('end', () => {
        const type = (response.headers['content-type'] ?? '').split(';')[0]?.trim() ?? ''
        resolve({ status: response.statusCode ?? 0, type, body: Buffer.concat(pieces).toString('utf8') })
      })
    })
    sending.once('error', reject)
    if (bytes !== undefined && chunked === true) {
      const step = Math.ceil(bytes.length / 4)
      for (let at = 0; at < bytes.length; at += step) sending.write(bytes.subarray(at, at + step))
      sending.end()
    } else sending.end(bytes)
  })
}
