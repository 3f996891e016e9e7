import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { failed, messageOf, ok, type Result } from '../../problem.ts'
import type { PackageChange, Plan } from './plan.ts'
import { asRecord } from './project.ts'

/** Writes a plan into the project; answers the files it changed. A file of the same name that says something else is left alone. */
export function writePlan(folder: string, { file, packageJson }: Plan): Result<readonly string[]> {
  const path = join(folder, file.path)
  if (existsSync(path) && readFileSync(path, 'utf8') !== file.text) {
    return failed('init-exists', `${path} is there already and says something else. Rename it, or put these lines into it:\n\n${file.text}`)
  }
  try {
    const changed = packageJson === undefined ? [] : changePackage(join(folder, 'package.json'), packageJson)
    if (!existsSync(path)) {
      writeFileSync(path, file.text)
      changed.push(file.path)
    }
    return ok(changed)
  } catch (error) {
    return failed(
      'init-write',
      `The project could not be written: ${messageOf(error)}. Nothing else was changed; the lines above do the same.`,
    )
  }
}

function changePackage(path: string, change: PackageChange): string[] {
  const text = readFileSync(path, 'utf8')
  const changed = withChange(text, change)
  if (changed === text) return []
  writeFileSync(path, changed)
  return ['package.json']
}

/** The package.json with what is new in it, indented as it was. */
export function withChange(text: string, { devDependencies, scripts }: PackageChange): string {
  const before = asRecord(JSON.parse(text))
  const after = {
    ...before,
    ...(Object.keys(scripts).length === 0 ? {} : { scripts: { ...asRecord(before['scripts']), ...scripts } }),
    ...(Object.keys(devDependencies).length === 0
      ? {}
      : { devDependencies: { ...asRecord(before['devDependencies']), ...devDependencies } }),
  }
  const [, indent] = /\n([ \t]+)"/.exec(text) ?? []
  return JSON.stringify(after) === JSON.stringify(before) ? text : `${JSON.stringify(after, null, indent ?? 2)}\n`
}
