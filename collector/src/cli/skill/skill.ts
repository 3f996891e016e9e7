import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { packageFile } from '../../package-file.ts'
import { failed, messageOf, ok, type Result } from '../../problem.ts'
import type { Cli } from '../cli.ts'

export interface SkillFlags {
  readonly install?: boolean
  readonly force?: boolean
}

const PLACE = join('.claude', 'skills', 'graphmind', 'SKILL.md')

/** `graphmind skill`: prints the bundled Agent Skill, or writes it into the project in `folder`. */
export function skill({ install, force }: SkillFlags, { console }: Cli, folder: string): Result<undefined> {
  const text = readFileSync(packageFile('skill/SKILL.md'), 'utf8')
  if (install !== true) {
    console.out(text.trimEnd())
    return ok(undefined)
  }
  const file = join(folder, PLACE)
  if (existsSync(file) && readFileSync(file, 'utf8') !== text && force !== true)
    return failed('skill-exists', `${file} is there already and is another one. --force writes over it.`)
  try {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  } catch (error) {
    return failed('skill', `${file} could not be written: ${messageOf(error)}.`)
  }
  console.out(`Written: ${file}. Claude Code finds it in its next session.`)
  return ok(undefined)
}
