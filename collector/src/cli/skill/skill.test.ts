import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { packageFile } from '../../package-file.ts'
import { skill } from './skill.ts'

const TEXT = readFileSync(packageFile('skill/SKILL.md'), 'utf8')

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'graphmind-skill-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function run(flags: Parameters<typeof skill>[0]) {
  const out: string[] = []
  const console = { out: (line: string) => out.push(line), err: () => undefined, isTerminal: false }
  const done = skill(flags, { console, environment: {}, perform: async () => undefined, interrupted: async () => undefined }, folder)
  return { done, out: out.join('\n') }
}

it('prints the skill with the front matter that agents look for', () => {
  expect(run({}).out).toBe(TEXT.trimEnd())
  expect(TEXT).toMatch(/^---\nname: graphmind\ndescription: .{50,1024}\n---\n/)
})

it('writes it where Claude Code looks, twice without a word, and over another one only with --force', () => {
  const file = join(folder, '.claude', 'skills', 'graphmind', 'SKILL.md')
  expect(run({ install: true }).out).toContain(file)
  expect(run({ install: true }).done.ok).toBe(true)
  expect(readFileSync(file, 'utf8')).toBe(TEXT)
  writeFileSync(file, 'my own')
  expect(run({ install: true }).done).toMatchObject({ ok: false, problem: { message: expect.stringContaining('--force') } })
  expect(readFileSync(file, 'utf8')).toBe('my own')
  expect(run({ install: true, force: true }).done.ok).toBe(true)
  expect(readFileSync(file, 'utf8')).toBe(TEXT)
})
