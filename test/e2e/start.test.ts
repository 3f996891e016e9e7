import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { WAIT_FOR_ATTACH } from '../support/examples.ts'
import { root, startProgram } from '../support/process.ts'

it('npm start’s script brings up the collector and the demo agent, which is held at its bug, and stops both', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'graphmind-start-'))
  const program = startProgram(
    [join(root, 'scripts', 'start.mjs'), '--port', '0', '--no-open', '--no-otlp-ports', '--db', join(folder, 'graphmind.db')],
    { env: WAIT_FOR_ATTACH },
  )
  try {
    const [, url] = await program.line(/(http:\/\/127\.0\.0\.1:\d+)/)
    const { pauses } = await eventually(async () => {
      const answer = (await (await fetch(`${url}/api/pauses`)).json()) as { pauses: { nodeId: string }[] }
      return answer.pauses.length > 0 ? answer : undefined
    }, 'the demo agent to be held')
    expect(pauses.map((pause) => pause.nodeId)).toEqual(['tool:convertCurrency'])
  } finally {
    await program.stop()
    rmSync(folder, { recursive: true, force: true })
  }
})
