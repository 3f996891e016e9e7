import { readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import spawn from 'cross-spawn'
import { failed, ok, type Result } from '../../problem.ts'
import type { Cli } from '../cli.ts'
import type { Console } from '../console.ts'
import { type Plan, plansFor } from './plan.ts'
import { MANIFESTS, type Project, type ProjectFiles, readProject } from './project.ts'
import { writePlan } from './write.ts'

export interface InitFlags {
  readonly write?: boolean
  readonly install?: boolean
  readonly json?: boolean
}

/** `graphmind init [dir]`: names the frameworks of a project and prints, or writes, what it needs. */
export async function init(dir: string | undefined, flags: InitFlags, { console }: Pick<Cli, 'console'>): Promise<Result<undefined>> {
  const folder = resolve(dir ?? '.')
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return failed('init-folder', `${folder} is no folder.`)
  const project = readProject(filesIn(folder))
  const plans = plansFor(project)
  if (plans.length === 0) return failed('init-nothing', nothingFor(folder, project))
  const done = plans.map((plan) => ({ plan, written: flags.write === true ? writePlan(folder, plan) : ok([]) }))
  if (flags.json === true) {
    console.out(JSON.stringify({ folder, plans: done.map(({ plan, written }) => ({ ...plan, written: written.ok ? written.value : [] })) }))
  } else {
    for (const { plan, written } of done) say(plan, written.ok ? written.value : [], console)
    if (flags.write !== true) console.out('graphmind init --write writes the files, --install runs the install command.')
  }
  for (const { written } of done) if (!written.ok) return written
  return flags.install === true ? installAll(folder, plans, console) : ok(undefined)
}

/** Runs the install command of each plan in the project, its output on stderr; a problem when one fails. */
function installAll(folder: string, plans: readonly Plan[], { err }: Pick<Console, 'err'>): Result<undefined> {
  for (const { install } of plans) {
    if (install === undefined) continue
    err(`Running: ${install}`)
    const [command = '', ...args] = install.split(' ')
    const { status, error } = spawn.sync(command, args, { cwd: folder, stdio: ['ignore', 2, 2] })
    if (status !== 0)
      return failed(
        'init-install',
        `${install} ${error instanceof Error ? `could not be started: ${error.message}` : `ended with exit code ${status}`}. Run it yourself in ${folder}.`,
      )
  }
  return ok(undefined)
}

function filesIn(folder: string): ProjectFiles {
  return new Map(
    MANIFESTS.flatMap((name) => {
      try {
        return [[name, readFileSync(join(folder, name), 'utf8')] as const]
      } catch {
        return [] // The project doesn't have it.
      }
    }),
  )
}

function nothingFor(folder: string, { others }: Project): string {
  if (others.length === 0)
    return `${folder} has no package.json and no Python requirements. Name the project's folder: graphmind init <dir>.`
  return `${folder} is written in ${others.join(' and ')}: set OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4747, and see docs/other-languages.md.`
}

function say(
  { language, frameworks, holds, install, file, packageJson, inCode, start }: Plan,
  written: readonly string[],
  { out }: Console,
): void {
  const names = frameworks.map(({ name, package: of }) => `${name} (${of})`)
  const found = names.length === 0 ? 'no framework that is known here; spans of your own show up, too' : names.join(', ')
  out(`${language === 'node' ? 'Node' : 'Python'}: ${found}`)
  out(holds ? 'Calls can be seen and held.' : 'Calls can be seen; holding them needs the Node packages.')
  out('')
  let step = 1
  if (install !== undefined) out(`${step++}. Install:  ${install}`)
  out(`${step++}. ${written.includes(file.path) ? 'Written:' : 'Make the file'} ${file.path}`)
  for (const line of file.text.trimEnd().split('\n')) out(`     ${line}`.trimEnd())
  for (const sentence of inCode) out(`${step++}. ${sentence}`)
  out(`${step}. Start graphmind, then the program:  ${start}`)
  if (written.includes('package.json') && packageJson?.scripts['graphmind'] !== undefined)
    out('   or: the new script "graphmind" of package.json')
  out('')
}
