import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { normalise } from '../cli-sessions/normalise.ts'
import { type Played, play } from '../cli-sessions/play.ts'
import { SESSIONS } from '../cli-sessions/sessions.ts'
import { hasTerminal } from '../cli-sessions/terminal.ts'
import { root, startProgram } from '../support/process.ts'

const PAGE = join(root, 'docs', 'cli-sessions.md')
const INTRODUCTION = `# The command line, command by command

Recorded in a real terminal with the built \`graphmind\`, every command and every flag at least once; ids, ports, times and folders are replaced.
A test plays it again and compares. \`GRAPHMIND_UPDATE_DOCS=1 npx vitest run --project e2e test/e2e/cli-sessions.test.ts\` writes it anew. What each command is for is in [cli.md](cli.md).
`

const commandLines = SESSIONS.flatMap(({ steps }) =>
  steps.flatMap((step) => ('run' in step ? [step.run] : 'start' in step ? [step.start] : [])),
)

describe.skipIf(!hasTerminal())('the command line in a terminal', () => {
  let folder: string
  let played: readonly Played[]
  let page: string
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'graphmind-sessions-'))
    const programs = join(folder, 'bin')
    mkdirSync(programs)
    const program = (name: string, text: string) => {
      writeFileSync(join(programs, name), text)
      chmodSync(join(programs, name), 0o755)
    }
    program('graphmind', `#!/bin/sh\nexec '${process.execPath}' '${join(root, 'collector', 'bin', 'graphmind.js')}' "$@"\n`)
    // Stands for the browser of a desktop.
    program('xdg-open', '#!/bin/sh\nexit 0\n')
    // So do these for the package managers of a project: one that works, and one that does not.
    program('npm', '#!/bin/sh\necho "npm $*"\n')
    program('pnpm', '#!/bin/sh\necho "ERR_PNPM: no network" >&2\nexit 3\n')
    const work = join(folder, 'work')
    mkdirSync(work)
    const env = { HOME: folder, PATH: `${programs}:${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`, LANG: 'C.UTF-8' }
    const values = new Map([
      ['cases', join(root, 'test', 'cases')],
      ['server', join(root, 'collector', 'src', 'proxies', 'testing', 'mcp-server.mjs')],
    ])
    const all: Played[] = []
    const ports = new Set<string>()
    const ids = new Map<string, string>()
    for (const session of SESSIONS) {
      all.push(await play(session, { folder: work, env, values }))
      for (const [name, value] of values) {
        if (/^(port|listen)/.test(name)) ports.add(value)
        else if (/^(run|other|pause)$/.test(name) && !ids.has(value)) ids.set(value, name === 'pause' ? `p-${ids.size}` : `${name}-id`)
      }
    }
    played = all
    const names = { folder: work, root: root.replace(/\/$/, ''), ports: [...ports], ids: [...ids] }
    page = normalise(`${INTRODUCTION}\n${all.map(({ text }) => text).join('\n')}`, names)
    if (process.env['GRAPHMIND_UPDATE_DOCS']) writeFileSync(PAGE, page)
  }, 300_000)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('ends every command with the exit code that is promised', () => {
    expect(played.flatMap(({ surprises }) => surprises)).toEqual([])
  })

  it('looks as docs/cli-sessions.md shows it', () => {
    expect(page).toBe(readFileSync(PAGE, 'utf8'))
  })
})

it('is shown with every command and every flag that there is', async () => {
  const check = startProgram([join(root, 'test', 'cli-sessions', 'unused-flags.mjs'), ...commandLines])
  expect({ code: await check.exited, output: check.output() }).toEqual({ code: 0, output: '' })
})
