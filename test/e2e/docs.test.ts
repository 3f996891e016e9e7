import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { screensPage } from '../support/pictures.ts'
import { root, startProgram } from '../support/process.ts'
import { SCREENS } from '../support/screens.ts'

const PAGES = globSync(
  ['*.md', 'docs/*.md', 'collector/skill/*.md', '{control,instrumentation}/*/README.md', '{collector,mappings,examples,viewer}/README.md'],
  { cwd: root },
).sort()

interface Block {
  readonly page: string
  readonly language: string
  readonly text: string
}

const blocks: readonly Block[] = PAGES.flatMap((page) =>
  [...readFileSync(join(root, page), 'utf8').matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language = '', text = '']) => ({
    page,
    language,
    text,
  })),
)
const ofLanguage = (...languages: readonly string[]) => blocks.filter(({ language }) => languages.includes(language))

/** Commands of a shell block, without comments and variables set before them. */
const commands = ofLanguage('sh', 'bash').flatMap(({ page, text }) =>
  text
    .replaceAll('\\\n', ' ')
    .split('\n')
    .flatMap((line) => line.split(/ && | \| /))
    .map((line) => ({
      page,
      line: line
        .replace(/ +#.*$/, '')
        .replace(/^(?:[A-Z_]+=\S+ +)*/, '')
        .trim(),
    }))
    .filter(({ line }) => line !== '' && !line.startsWith('#')),
)

describe('the documents', () => {
  it('name graphmind commands and flags that exist', async () => {
    const lines = commands.flatMap(({ page, line }) => {
      const [, args] = /^(?:.* -- )?(?:npx (?:-y )?graphmind-ai|graphmind)(?=\s|$)(.*)$/.exec(line) ?? []
      return args === undefined ? [] : [{ page, line, args: args.trim() }]
    })
    expect(lines.length).toBeGreaterThan(10)
    const check = startProgram([join(root, 'test', 'support', 'check-command-lines.mjs'), ...lines.map(({ args }) => args)])
    expect({ code: await check.exited, output: check.output() }).toEqual({ code: 0, output: '' })
  })

  it('name npm scripts and files that exist', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    for (const { page, line } of commands) {
      const script = line.includes(' -w ') ? undefined : /^npm (?:run )?([\w:]+)/.exec(line)?.[1]
      const known =
        script === undefined ||
        script in scripts ||
        ['ci', 'install', 'i', 'pack', 'test', 'start', 'init', 'exec', 'view'].includes(script)
      expect({ page, line, known }).toEqual({ page, line, known: true })
      const file = /^node ((?:scripts|test|examples)\/\S+)/.exec(line)?.[1]
      expect({ page, line, exists: file === undefined || existsSync(join(root, file)) }).toEqual({ page, line, exists: true })
    }
  })

  it('link to pages that are there', () => {
    for (const page of PAGES) {
      for (const [, target = ''] of readFileSync(join(root, page), 'utf8').matchAll(/\]\((?!\w+:|#)([^)#\s]+)/g)) {
        const path = join(root, dirname(page), target)
        expect({ page, target, exists: existsSync(path) }).toEqual({ page, target, exists: true })
      }
    }
  })

  it('show every screen of the viewer, each picture of it there and no other', () => {
    const page = readFileSync(join(root, 'docs', 'screens.md'), 'utf8')
    expect(page).toBe(screensPage(SCREENS))
    const shown = [...page.matchAll(/\]\(screens\/([^)]+)\)/g)].map(([, file = '']) => file)
    expect(shown.sort()).toEqual(globSync('*', { cwd: join(root, 'docs', 'screens') }).sort())
  })

  it('show TypeScript that compiles', async () => {
    const folder = mkdtempSync(join(root, 'test', '.docs-'))
    try {
      ofLanguage('ts', 'typescript').forEach(({ page, text }, at) => {
        writeFileSync(join(folder, `${String(at).padStart(2, '0')}-${page.replaceAll(/\W/g, '-')}.ts`), `${text}\nexport {}\n`)
      })
      const config = {
        extends: relative(folder, join(root, 'tsconfig.tests.json')),
        compilerOptions: { noUnusedLocals: false },
        include: ['*.ts'],
        exclude: [],
      }
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
      const check = startProgram([join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', folder])
      expect({ code: await check.exited, output: check.output() }).toEqual({ code: 0, output: '' })
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })

  it('show JSON that is JSON', () => {
    for (const { page, text } of ofLanguage('json')) {
      // Comments and … stand for something in examples.
      if (/^\s*\/\/|…/m.test(text)) continue
      expect(() => JSON.parse(text), `${page}: ${text.slice(0, 60)}`).not.toThrow()
    }
  })

  it('state limits as the code has them', () => {
    const rows = [...readFileSync(join(root, 'docs', 'limits.md'), 'utf8').matchAll(/`([^`]+\.ts)`: (.+?) \|$/gm)]
    expect(rows.length).toBeGreaterThan(20)
    for (const [, file = '', declared = ''] of rows)
      expect({ file, declared, found: readFileSync(join(root, file), 'utf8').includes(declared) }).toEqual({ file, declared, found: true })
  })

  it('list every environment variable', () => {
    const sources = globSync(['collector/src/**/*.ts', 'control/client/src/**/*.ts', 'instrumentation/*/src/**/*.ts'], { cwd: root })
    const code = sources.filter((file) => !/\.test\.ts$|\/testing\//.test(file)).map((file) => readFileSync(join(root, file), 'utf8'))
    const names = new Set(code.flatMap((text) => [...text.matchAll(/\[?['"](GRAPHMIND_[A-Z_]+[A-Z])['"]/g)].map(([, name = '']) => name)))
    expect(names.size).toBeGreaterThan(20)
    const page = readFileSync(join(root, 'docs', 'cli.md'), 'utf8')
    expect([...names].filter((name) => !page.includes(`\`${name}\``))).toEqual([])
  })

  it('list every command', async () => {
    const help = startProgram([join(root, 'collector', 'bin', 'graphmind.js'), '--help'])
    await help.exited
    const page = readFileSync(join(root, 'docs', 'cli.md'), 'utf8')
    const names = [...help.output().matchAll(/^ {2}([a-z-]+)(?: \[| <| {2})/gm)]
      .map(([, name = '']) => name)
      .filter((name) => !['help', 'graphmind'].includes(name))
    expect(names.length).toBeGreaterThan(10)
    for (const name of names) expect(page).toContain(`\`graphmind ${name}`)
  })
})
